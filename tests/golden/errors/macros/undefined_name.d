/*
 * A name that no macro variable has.
 * @args -x errtags
 * @ref d-errors 2.7 D_MACRO_UNDEF; d-language 2 unknown-name */
BEGIN
{
	trace($nosuch);
}
