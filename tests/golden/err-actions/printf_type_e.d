/* D_PRINTF_ARG_TYPE: %e takes floating point only. */
BEGIN
{
	printf("%e", 1);
}
