/*
 * A variable declared without a type is an integer.
 * @args -x errtags
 */
self x;

BEGIN
{
	self->x = "a";
}
