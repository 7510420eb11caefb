/*
 * A backslash that ends no line.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.8 other-character */
BEGIN
{
	trace(1 \ 2);
}
