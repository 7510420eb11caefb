/*
 * Arguments by number.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-builtins 8.2 syntax; d-builtins 8 unsupported; output 7 positional */
BEGIN
{
	printf("%1$d", 1);
}
