/*
 * An action in a branch has its room in the record all the same, and a bit that says that it ran; a record without a
 * bit is discarded.
 * @only body reserved then else endif unused
 */
int x;

BEGIN
{
	if (x)
		trace(x);
	else
		trace(pid);
}
