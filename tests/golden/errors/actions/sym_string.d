/*
 * D_PROTO_ARG.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 4 sym-func */
BEGIN
{
	sym("a");
}
