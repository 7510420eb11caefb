/*
 * A negative size of the string table.
 * @args -x errtags
 * @ref d-errors 2.10 D_USTACK_STRSIZE; d-builtins 4 ustack-errors */
BEGIN
{
	ustack(1, -1);
}
