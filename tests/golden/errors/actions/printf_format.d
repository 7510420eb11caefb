/*
 * The format is no literal.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_FMT; d-builtins 8.2 not-literal; d-builtins 4 printf-literal-format */
BEGIN
{
	printf(execname);
}
