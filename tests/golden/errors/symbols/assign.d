/*
 * A function is not a value.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARRFUN
 * @ref d-language 14 function
 */
BEGIN
{
	x = `schedule;
}
