/*
 * The target executes another program, twice; what is asked for is looked up in each, and the probes of the one before
 * are gone.
 * @ref providers 15 exec-drops
 * @trigger work add 1 library 1 exec 0 probed 1 add 2 add 3 exec 0 probed 1 add 7
 */
#pragma D option quiet
#pragma D option zdefs

pid$target:a.out:add:entry { printf("%d %s\n", arg0, pid == $target ? "target" : "other"); @n[probefunc] = count(); }
pid$target:a.out:add:return { printf("%s %d\n", probename, arg1); }
pid$target:libz:compressBound:entry { printf("%s\n", probefunc); }
END { printa("%s %@d\n", @n); }
