/* Integer arithmetic: conversions, folding, what is left of it. */
int i;
uint8_t c;
unsigned long u;

BEGIN
{
	i = c + 1;
	u = i * 2;
	c = i / 3;
	i = u >> 4;
	i = 2 * 3 + 4;
	i = 0 ? c : 7;
}
