/*
 * A string for a *.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_DYN_TYPE; d-builtins 8.2 star-missing */
BEGIN
{
	printf("%*d", "a", 1);
}
