/*
 * Two marks are for symbols of the process.
 * @args -x errtags
 * @ref d-language 14 mark-mismatch
 * @ref d-errors 2.9 D_SYM_BADREF
 */
BEGIN
{
	trace(&vmlinux``schedule);
}
