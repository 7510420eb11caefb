/*
 * A string for %d, in the second place.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.2 wrong-type three-lines */
BEGIN
{
	printf("%d %d", 1, "a");
}
