/*
 * commit() after exit().
 * @args -x errtags
 * @ref d-errors 2.12 D_COMM_DREC; d-language 17.1 after-data */
BEGIN
{
	exit(0);
	commit(1);
}
