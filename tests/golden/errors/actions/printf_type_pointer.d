/*
 * A pointer to char for %s.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE; d-language 10.5 printf-char-pointer; d-builtins 8.1 s */
BEGIN
{
	printf("%s", (char *)0);
}
