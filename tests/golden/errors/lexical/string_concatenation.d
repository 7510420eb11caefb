/*
 * Strings side by side don't join.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.7 no-concatenation */
BEGIN
{
	trace("a" "b");
}
