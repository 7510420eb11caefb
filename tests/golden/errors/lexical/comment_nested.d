/*
 * Comments don't nest.
 * @args -x errtags
 */
/* one /* two */ three */
BEGIN
{
	trace(1);
}
