/*
 * D_PRINTF_ARG_FMT: the format is no literal.
 * @args -x errtags
 */
BEGIN
{
	printf(execname);
}
