/*
 * commit() after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12 D_COMM_DREC; d-language 17.1 after-aggregation */
BEGIN
{
	@ = count();
	commit(1);
}
