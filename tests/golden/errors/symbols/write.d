/*
 * Symbols are read-only.
 * @args -x errtags
 * @ref d-language 14 read-only
 * @ref d-errors 2.4 D_OP_WRITE
 */
BEGIN
{
	`schedule = 0;
}
