/* D_PRINTF_ARG_FMT: the format is no literal. */
BEGIN
{
	printf(execname);
}
