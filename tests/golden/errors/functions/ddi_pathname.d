/*
 * What other systems have.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_UNDEF; d-builtins 3.4 not-functions */
BEGIN
{
	trace(ddi_pathname(1, 2));
}
