/* D_SYNTAX: %% takes no flags. */
BEGIN
{
	printf("%5%");
}
