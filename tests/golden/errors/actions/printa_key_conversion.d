/*
 * More conversions than keys.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_PROTO; d-builtins 7.4 keys-skipped */
BEGIN
{
	@a[1] = count();
	printa("%d %d %@d\n", @a);
}
