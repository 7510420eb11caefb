/*
 * An integer constant that is too big.
 * @args -x errtags
 * @ref d-errors 2.8 D_INT_OFLOW; d-language 1.5 overflow */
BEGIN
{
	trace(99999999999999999999);
}
