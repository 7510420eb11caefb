/*
 * The remainder by what folds to 0.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	trace(x % (3 - 3));
}
