/*
 * The second of one operands, as a string.
 * @args -x errtags one
 */
BEGIN
{
	trace($1);
	trace($$2);
}
