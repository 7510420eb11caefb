/*
 * Pointers to different types.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.2 type-fixed; d-language 9.3 pointers */
BEGIN
{
	x = (int *)0;
	x = (char *)1;
}
