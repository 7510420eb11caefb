/*
 * An operator without its right operand.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	1 + ;
}
