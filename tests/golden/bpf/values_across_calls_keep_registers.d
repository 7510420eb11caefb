/*
 * A value that is used after a call of a helper is in r6 to r9, which calls preserve: no stack slot.
 */
int x;

BEGIN
{
	x = pid;
	x = uid;
	x = tid;
}
