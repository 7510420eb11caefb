/*
 * A void key of an associative array.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 8.3 illegal-keys */
BEGIN
{
	a[(void)0] = 1;
}
