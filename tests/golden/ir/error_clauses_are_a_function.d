/*
 * The clauses of dtrace:::ERROR are a function, which the end of a clause with a fault calls.
 * @only programs maps body reported nonnull
 */
unsigned a, b;

dtrace:::ERROR
{
	b = arg4;
}

BEGIN
{
	a = a / b;
}
