/*
 * A string operand of unary -.
 * @args -x errtags
 */
BEGIN
{
	trace(-"a");
}
