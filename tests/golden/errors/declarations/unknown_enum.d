/*
 * A cast to a type that nobody defines.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDENT */
BEGIN
{
	trace((enum no_such_enum)1);
}
