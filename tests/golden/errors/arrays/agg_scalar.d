/*
 * The sum of strings.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_SCALAR; d-language 15 scalar-values; d-builtins 7.1 scalar-value */
BEGIN
{
	@ = sum("a");
}
