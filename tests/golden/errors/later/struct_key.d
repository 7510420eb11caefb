/*
 * Struct keys.
 * @args -x errtags
 */
BEGIN
{
	@[*curthread] = count();
}
