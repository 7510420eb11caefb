/*
 * A variable that only a later clause assigns.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF; d-language 3 order-of-introduction */
BEGIN
{
	trace(x);
}

END
{
	x = 1;
}
