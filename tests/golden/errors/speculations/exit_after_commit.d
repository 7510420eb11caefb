/*
 * exit() after commit().
 * @args -x errtags
 * @ref d-errors 2.12 D_DREC_COMM; d-language 17.1 after-commit */
BEGIN
{
	commit(1);
	exit(0);
}
