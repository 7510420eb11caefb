/*
 * Entries and returns: ten arguments (six from registers, the others from the stack), negative ones,
 * return values, typed ones as their types are; names of the probe; the same registers in uregs[].
 * @ref providers 15 entry-args return-value a.out-module empty-fields typed-args
 * @sort
 * @trigger work add 5 negative 7 ten 100 ten -7 hidden 21 alias 3 unused 1
 */
#pragma D option quiet

pid$target:a.out:add:entry { printf("%s:%s:%s %d %d\n", probemod, probefunc, probename, arg0, arg1); }
pid$target:work:add:return { printf("%s:%s:%s %d %d\n", probemod, probefunc, probename, arg0 > 0, arg1); }
pid$target::negative:entry { printf("%d %d ", (int)arg0, args[0]); }
pid$target::negative:return { printf("%x %d %d\n", arg1, (int)arg1, args[1]); }
pid$target::ten:entry
{
	printf("%d %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
	printf("%d %d %d %d %d %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5], args[6],
		args[7], args[8], args[9]);
	printf("%d %d %d %d %d %d\n", uregs[R_RDI] == arg0, uregs[R_RSI] == arg1, uregs[R_RDX] == arg2,
		uregs[R_RCX] == arg3, uregs[R_R8] == arg4, uregs[R_R9] == arg5);
}
pid$target::ten:return { printf("%d %d\n", arg1, uregs[R_RAX] == arg1); }
/* a static function */
pid$target:a.out:hidden: /probename == "entry" || probename == "return"/
{
	printf("%s %d\n", probename, probename == "entry" ? arg0 : arg1);
}
/* both names of one place */
pid$target::real_name:entry, pid$target::other_name:entry { printf("%s %d\n", probefunc, arg0); }
/* is there, and is not called */
pid$target::depth:entry { printf("never"); }
