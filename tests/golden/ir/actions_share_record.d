/*
 * Actions that follow each other share one record, which is reserved at its exact size before the first and submitted
 * after the last.
 * @only body reserved recorded
 */
int x;

BEGIN
{
	printf("%d", pid);
	x = 1;
	trace(x);
}
