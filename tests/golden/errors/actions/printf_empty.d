/*
 * An empty format.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_FMT_EMPTY; d-builtins 8.2 empty; d-builtins 4 printf-literal-format; output 7 empty-format */
BEGIN
{
	printf("");
}
