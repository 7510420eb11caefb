/*
 * A pointer to void is incremented.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_VFPTR; d-language 9.1 increment */
BEGIN
{
	x = (void *)1;
	x++;
}
