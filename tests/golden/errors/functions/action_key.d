/*
 * An action that may not be a key.
 * @args -x errtags
 */
BEGIN
{
	@[trace(1)] = count();
}
