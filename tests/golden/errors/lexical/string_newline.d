/*
 * A string that doesn't end on its line.
 * @args -x errtags
 * @ref d-errors 2.8 D_STR_NL; d-language 1.7 newline */
BEGIN
{
	trace("abc
	");
}
