/*
 * The name of a folder.
 * @args -x errtags
 * @ref d-errors 2.10 D_FREOPEN_INVALID; d-builtins 4 freopen-dot */
BEGIN
{
	freopen(".");
}
