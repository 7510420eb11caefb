/*
 * An inline leaves no trace: with constant arguments it is a constant.
 * @only body
 */
inline int side = 5;
inline int area[int a, int b] = a * b;
long x;

BEGIN
{
	x = area[side, 4];
}
