/*
 * An empty character constant.
 * @args -x errtags
 * @ref d-errors 2.8 D_CHR_NULL; d-language 1.6 empty */
BEGIN
{
	trace('');
}
