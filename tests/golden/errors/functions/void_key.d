/*
 * A void key.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 15 illegal-keys */
BEGIN
{
	@[(void)0] = count();
}
