/*
 * An associative array without a subscript.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_BADREF */
BEGIN
{
	q[1] = 2;
	trace(q);
}
