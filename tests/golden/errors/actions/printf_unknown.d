/*
 * D_SYNTAX: no such conversion.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-builtins 8.1 undefined */
BEGIN
{
	printf("%y", 1);
}
