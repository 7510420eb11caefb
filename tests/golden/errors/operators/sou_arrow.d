/*
 * -> on a pointer to an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_SOU; d-language 9.1 member */
BEGIN
{
	x = (int *)0;
	trace(x->y);
}
