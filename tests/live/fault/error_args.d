/*
 * Arguments of ERROR: 0, the probe, the clause, -1, the code, the value; probefunc and
 * the like are its own.
 * @stderr
 * @trigger values ints 77
 * @ref d-language 22.2 arg0 arg1-probe arg2-clause arg3-pc arg4-code arg5-value
 * @ref output 14 error-probe error-output
 * @ref d-language 22.3 form address index
 * @ref d-language 22.1 badaddr divzero badindex
 */
#pragma D option quiet

BEGIN
{
	printf("kept from printing");
	x = *(int *)0x1234;
}

BEGIN
{
	zero = 0;
	x = 5 / zero;
}

ERROR
{
	printf("%d | probe %d clause %d pc %d code %d value %x | %d %d %d | %s:%s:%s id %d\n", arg0,
		arg1, arg2, arg3, arg4, arg5, arg6, arg9, arg4 == DTRACEFLT_DIVZERO, probeprov,
		probefunc, probename, id);
}

BEGIN
{
	i = 100;
	x = curthread->comm[i];
}

BEGIN
{
	x = strlen(copyinstr(0));
}
