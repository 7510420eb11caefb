/*
 * What a probe says of itself is the same in a loop and in a function: the arguments of ERROR, ids and names.
 * @ref d-language 22.2 arg0 arg1-probe arg2-clause arg4-code arg5-value
 * @trigger calls read 1 5
 */
#pragma D option quiet

int zero, x[int], a[3];

int code(int n) { return arg4 + n; }

ERROR
{
	for (this->i = 0; this->i < 2; this->i++)
		printf("%d %d %d %d %d, ", arg0, arg1 != 0, arg2, arg4, arg5);
	foreach (k in x)
		printf("%d %d, ", k, arg4);
	this->n = 0;
	while (arg4 != DTRACEFLT_LIBRARY && this->n < 3)
		this->n++;
	printf("%d %d %s %s\n", this->n, code(0), probename, probeprov);
}

BEGIN { x[1] = 1; }
BEGIN { a[1] = 1 / zero; }
BEGIN { for (this->i = 0; this->i < 4; this->i++) a[this->i] = 1; }

syscall::read:entry
/pid == $target && arg2 == 5/
{
	for (this->i = 0; this->i < 2; this->i++)
		printf("%d %d %d %s %s %s %d\n", arg0, arg2, args[2], probeprov, probefunc, probename, id == epid >> 32);
	for (this->i = 2; this->i >= 0; this->i--)
		a[0] = 6 / this->i;
}

syscall::read:entry /pid == $target && arg2 == 5/ { printf("%d %d\n", arg2, a[0]); }

syscall::read:return
/pid == $target && arg1 == 5/
{
	for (this->i = 0; this->i < 2; this->i++)
		printf("%d %d %s %s %d\n", arg1, args[0], probefunc, probename, errno);
}
