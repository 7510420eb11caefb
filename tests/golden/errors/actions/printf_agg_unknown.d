/*
 * An aggregation that does not exist as an argument of printf.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF */
BEGIN
{
	printf("%d", @nosuch);
}
