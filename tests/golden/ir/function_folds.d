/*
 * Constants fold through calls of D functions: conditions on a constant argument are decided, and the result is a
 * constant.
 * @only body then else endif return
 */
long x;

int
scale(int n, int factor)
{
	if (factor > 1)
		return n * factor;
	return n - x;
}

BEGIN
{
	x = scale(7, 6) + 1;
}
