/*
 * A probe without arguments.
 * @args -x errtags
 * @ref d-errors 2.6 D_ARGS_IDX; d-language 16.3 index-range begin-none */
BEGIN
{
	trace(args[0]);
}
