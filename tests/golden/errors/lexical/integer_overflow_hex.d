/*
 * Seventeen hexadecimal digits.
 * @args -x errtags
 * @ref d-errors 2.8 D_INT_OFLOW; d-language 1.5 overflow */
BEGIN
{
	trace(0x1ffffffffffffffff);
}
