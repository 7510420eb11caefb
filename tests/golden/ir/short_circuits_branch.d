/*
 * Short circuits, ?: and predicates become branches; constants none.
 * @only body next run yes no join
 */
int a, b;

BEGIN
/a && !b/
{
	a = a > 1 || b < 2 ? 3 : 4;
	b = 1 && 1;
	b = 0 && a++;
}
