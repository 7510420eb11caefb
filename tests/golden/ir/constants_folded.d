/*
 * Constant expressions are folded: arithmetic, sizeof, comparisons and the arms of ?:.
 * @only body
 */
struct pair { int first; long second; };
long x;

BEGIN
{
	x = (2 * 3 + 4) << 2;
	x = sizeof(struct pair);
	x = 3 > 4 ? pid : 7;
}
