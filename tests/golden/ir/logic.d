/* Short circuits, ?: and predicates become branches; constants none. */
int a, b;

BEGIN
/a && !b/
{
	a = a > 1 || b < 2 ? 3 : 4;
	b = 1 && 1;
	b = 0 && a++;
}

END
/0/
{
	a = 5;
}
