/*
 * A decimal constant without a suffix is signed.
 * @args -x errtags
 * @ref d-errors 2.8 D_INT_OFLOW; d-language 1.5 overflow type-decimal */
BEGIN
{
	trace(18446744073709551615);
}
