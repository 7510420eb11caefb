/*
 * stringof of a struct.
 * @args -x errtags
 * @ref d-errors 2.4 D_STRINGOF_TYPE; d-language 9.1 stringof */
BEGIN
{
	trace(stringof(*curthread));
}
