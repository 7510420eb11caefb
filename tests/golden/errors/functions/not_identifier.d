/*
 * The callee is no name.
 * @args -x errtags
 */
BEGIN
{
	(3)();
}
