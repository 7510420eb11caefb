/*
 * D_PROTO_ARG: the increment is a string.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 7.2 increment-scalar */
BEGIN
{
	@ = lquantize(1, 0, 10, 1, "a");
}
