/*
 * D_PRINTF_ARG_FMT: the format is no literal.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_FMT */
BEGIN
{
	printf(execname);
}
