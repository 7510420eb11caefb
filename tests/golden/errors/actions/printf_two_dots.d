/*
 * D_SYNTAX: only one precision.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-builtins 8 unsupported */
BEGIN
{
	printf("%.2.3s", "a");
}
