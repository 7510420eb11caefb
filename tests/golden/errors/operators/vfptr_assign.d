/*
 * A pointer to void is added to.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_VFPTR; d-language 9.1 add-assign */
BEGIN
{
	x = (void *)1;
	x += 1;
}
