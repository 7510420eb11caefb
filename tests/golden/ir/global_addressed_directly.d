/*
 * Global and clause-local scalars are addressed directly, without a look-up.
 * @only maps body
 */
int x;

BEGIN
{
	this->x = x;
	x = this->x + 1;
}
