/*
 * A member of an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_SOU; d-language 9.1 member */
BEGIN
{
	x = 1;
	trace(x.y);
}
