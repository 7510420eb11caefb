/*
 * A fault jumps to the end of its clause, where a fault record is written; the next clause then runs.
 * @only body bad ok fault nonnull reported nextclause
 */
unsigned a, b;

BEGIN
{
	a = a / b;
}

BEGIN
{
	b = 1;
}
