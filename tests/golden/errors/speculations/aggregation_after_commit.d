/*
 * An aggregation after commit().
 * @args -x errtags
 * @ref d-errors 2.12 D_AGG_COMM; d-language 17.1 after-commit */
BEGIN
{
	commit(1);
	@ = count();
}
