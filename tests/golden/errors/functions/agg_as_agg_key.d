/*
 * An aggregation as a key of another.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE */
BEGIN
{
	@a = count(); @b[1, @a] = count();
}
