/*
 * A brace too many.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.3 unmatched-close */
BEGIN
{
	trace(1);
}}
