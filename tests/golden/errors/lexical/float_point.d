/*
 * A floating-point constant that begins with a point.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.5 no-floating-point */
BEGIN
{
	trace(.5);
}
