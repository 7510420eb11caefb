/*
 * The first of several errors is the one reported.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-errors 1.1 first-error script errtags line status */
BEGIN
{
	trace(nosuch);
}

END
{
	trace(1 / 0);
	trace(strlen());
}
