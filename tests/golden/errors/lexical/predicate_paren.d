/*
 * A predicate ends inside a parenthesis.
 * @args -x errtags
 */
BEGIN
/(1/
{
	trace(1);
}
