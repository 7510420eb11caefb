/*
 * D_SYNTAX: only one *.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-builtins 8 unsupported */
BEGIN
{
	printf("%**d", 1, 2, 3);
}
