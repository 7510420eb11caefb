/*
 * A division by what may be 0 has a fault branch, one by a constant none.
 * @only body bad ok
 */
unsigned a, b;

BEGIN
{
	a = a / b;
	b = b % 4;
}
