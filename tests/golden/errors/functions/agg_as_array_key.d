/*
 * An aggregation as a key of an associative array.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE */
BEGIN
{
	@a = count(); x[@a] = 1;
}
