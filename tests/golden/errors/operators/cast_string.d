/*
 * A string is cast to an integer.
 * @args -x errtags
 * @ref d-errors 2.4 D_CAST_INVAL; d-language 9.4 invalid */
BEGIN
{
	trace((int)"a");
}
