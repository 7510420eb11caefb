/*
 * An action as a value.
 * @args -x errtags
 */
BEGIN
{
	x = trace(1);
}
