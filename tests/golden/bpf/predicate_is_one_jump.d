/*
 * A comparison in a predicate is one conditional jump; its result is not computed.
 */
int a, b;

BEGIN
/a > 3/
{
	b = 1;
}
