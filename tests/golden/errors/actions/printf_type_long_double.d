/*
 * A double where a long double is wanted.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.1 L */
BEGIN
{
	printf("%Lf", *(double *)8);
}
