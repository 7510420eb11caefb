/*
 * A module that the kernel has not.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 14 unknown */
BEGIN
{
	trace(no_such_module`jiffies);
}
