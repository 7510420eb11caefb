/*
 * The constants of the D libraries, and a variable of the program's own that is called like one.
 * @ref d-builtins 1 library-constants
 * @ref d-language 22.1 inlines
 */
#pragma D option quiet

BEGIN
{
	ENOSPC = 7;
	x = 1 / (int)arg0;
}

ERROR
/arg4 == DTRACEFLT_DIVZERO/
{
	printf("divided by zero\n");
}

BEGIN
{
	printf("%d %d %d %d\n", ENOENT, SIGKILL, ENOSPC, DTRACEFLT_LIBRARY);
	exit(0);
}
