/*
 * A clause reads a built-in variable once, however often it asks for it; uid and gid are one read.
 * @only body run
 */
long x;

BEGIN
/timestamp > 1/
{
	x = timestamp;
	x = uid;
	x = gid;
}
