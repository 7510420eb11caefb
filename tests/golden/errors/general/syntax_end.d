/*
 * The end of the input inside a clause.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
{
	trace(1)
