/*
 * A predicate ends inside a parenthesis.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.3 predicate-open-brackets */
BEGIN
/(1/
{
	trace(1);
}
