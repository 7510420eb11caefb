/*
 * A clause-local variable that was never assigned.
 * @args -x errtags
 */
BEGIN
{
	trace(this->x);
}
