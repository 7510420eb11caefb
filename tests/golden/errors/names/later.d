/*
 * A variable that only a later clause assigns.
 * @args -x errtags
 */
BEGIN
{
	trace(x);
}

END
{
	x = 1;
}
