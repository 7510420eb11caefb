/*
 * A character constant of nine bytes.
 * @args -x errtags
 * @ref d-errors 2.8 D_CHR_OFLOW; d-language 1.6 too-long */
BEGIN
{
	trace('123456789');
}
