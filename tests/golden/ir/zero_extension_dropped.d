/*
 * A load extends with zeros, so no mask follows the load of an unsigned integer; a signed one is extended.
 * @only body
 */
uint8_t u;
int8_t s;
long x;

BEGIN
{
	x = u;
	x = s;
}
