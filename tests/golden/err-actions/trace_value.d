/*
 * An action has no value.
 * @args -x errtags
 */
BEGIN
{
	x = trace(1);
}
