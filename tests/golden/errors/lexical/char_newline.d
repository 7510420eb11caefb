/*
 * A character constant that doesn't end on its line.
 * @args -x errtags
 * @ref d-errors 2.8 D_CHR_NL; d-language 1.6 newline */
BEGIN
{
	trace('a
	');
}
