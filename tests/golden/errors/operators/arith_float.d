/*
 * There is no arithmetic with floating-point values.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARITH; d-language 6.1 floating-point-storage */
BEGIN
{
	trace(-*(double *)8);
}
