/*
 * A cast to a type that nobody defines.
 * @args -x errtags
 */
BEGIN
{
	trace((enum no_such_enum)1);
}
