/*
 * Integers are computed in 64 bits and truncated where they are stored.
 * @only body
 */
int i;
uint8_t c;
unsigned long u;

BEGIN
{
	i = c + 1;
	u = i * 2;
	c = i / 3;
	i = u >> 4;
}
