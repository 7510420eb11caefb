/*
 * D_CLEAR_AGGARG.
 * @args -x errtags
 * @ref d-errors 2.10 D_CLEAR_AGGARG */
BEGIN
{
	clear(1);
}
