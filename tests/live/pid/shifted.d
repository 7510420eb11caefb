/*
 * Functions that begin with endbr64: where the instruction behind it costs less, that is probed, which nobody can tell
 * by arguments, registers, or the stack.
 * @ref providers 15 entry-args offset-registers
 * @args -q
 * @trigger shifted
 */
pid$target:a.out:pushes:entry,
pid$target:a.out:leaf:entry
{
	printf("%s %d %d", probefunc, arg0, uregs[R_RSP] % 16);
	ustack(2);
}

pid$target:a.out:pushes:entry
{
	printf("%d %d\n", uregs[R_RIP] == (uintptr_t)&``pushes, ustackdepth > 2);
}

pid$target:a.out:pushes:return
{
	printf("%s %d\n", probefunc, arg1);
}
