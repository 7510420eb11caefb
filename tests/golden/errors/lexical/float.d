/*
 * A floating-point constant.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.5 no-floating-point */
BEGIN
{
	trace(1.5);
}
