/*
 * D_PRINTF_ARG_TYPE: %e takes floating point only.
 * @args -x errtags
 */
BEGIN
{
	printf("%e", 1);
}
