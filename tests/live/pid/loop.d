/*
 * A probe at an instruction fires as often as that runs; its name is the hexadecimal offset from the
 * function's start. It has no arguments, but the registers. [0-9a-f]* is every instruction and no entry.
 * @ref providers 15 offset offset-registers offset-glob
 * @trigger work loop 1000 loop 5 refused 1
 */
#pragma D option quiet

pid$target:a.out:loop:3 { @inside = count(); @most = max(uregs[R_RCX]); @arg = max(arg0 + arg1); }
pid$target:a.out:loop:0 { printf("%s:%s %d\n", probefunc, probename, uregs[R_RDI]); }
pid$target:a.out:loop:[0-9a-f]* { @each[probename] = count(); }
/* the system call is left out */
pid$target::refused:* { @all[probename] = count(); }
END
{
	printa("%@d, the most %@d, arguments %@d\n", @inside, @most, @arg);
	printa("%s %@d\n", @each);
	printa("%s %@d\n", @all);
}
