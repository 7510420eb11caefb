/*
 * No argument for a *.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_DYN_PROTO; d-builtins 8.2 star-missing */
BEGIN
{
	printf("%*d");
}
