/*
 * Letters after a constant.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.5 trailing-letters */
BEGIN
{
	trace(12x);
}
