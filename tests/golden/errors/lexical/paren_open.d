/*
 * A parenthesis that isn't closed.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	trace((1);
}
