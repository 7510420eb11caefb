/*
 * commit() after a destructive action.
 * @args -x errtags
 * @ref d-errors 2.12 D_COMM_DREC; d-language 17.1 after-data */
BEGIN
{
	raise(9);
	commit(1);
}
