/*
 * A reserved word as a variable.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.4 reserved-not-variables */
BEGIN
{
	while = 1;
}
