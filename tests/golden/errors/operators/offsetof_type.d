/*
 * An offset in what is no struct.
 * @args -x errtags
 * @ref d-errors 2.4 D_OFFSETOF_TYPE; d-language 9.1 offsetof; d-language 12 offsetof */
BEGIN
{
	trace(offsetof(int, x));
}
