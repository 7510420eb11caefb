/*
 * An integer for %s.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-builtins 8.2 wrong-type; output 7 incompatible-argument */
BEGIN
{
	printf("%s", 1);
}
