/*
 * D_SYNTAX: %% takes no flags.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	printf("%5%");
}
