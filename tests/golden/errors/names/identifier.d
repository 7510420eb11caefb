/*
 * A variable that was never assigned.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 8.2 read-undefined */
BEGIN
{
	x = y + 1;
}
