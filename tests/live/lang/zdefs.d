/*
 * With -Z a description may match nothing; its clause is left out.
 * @args -Z
 * @ref d-language 4 zdefs
 * @ref options 4 zdefs
 */
#pragma D option quiet

nosuch:::probe
{
	trace(arg0);
	x = 1;
}

BEGIN,
syscall::no_such_call:entry
{
	printf("x %d\n", x);
	exit(0);
}
