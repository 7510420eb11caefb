/*
 * D_SYNTAX: %% takes no flags.
 * @args -x errtags
 */
BEGIN
{
	printf("%5%");
}
