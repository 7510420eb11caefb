/*
 * There is no ||=.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.8 no-logical-assignment */
BEGIN
{
	x = 1;
	x ||= 1;
}
