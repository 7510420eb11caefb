/*
 * %s for a key that is an integer.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	@a[1] = count();
	printa("%s %@d\n", @a);
}
