/*
 * A clause whose predicate is constant and false leaves no code behind.
 * @only body run nextclause
 */
int x;

BEGIN
/0/
{
	x = 1;
}

BEGIN
{
	x = 2;
}
