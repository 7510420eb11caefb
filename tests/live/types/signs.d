/*
 * Signedness and width of the basic types, seen in what -1 and 2^n + 1 become.
 * @ref d-language 6.1 integer-types any-order typedefs
 * @ref d-language 6.3 narrowing
 */
#pragma D option quiet

signed char sc;
unsigned char uc;
char c;
int short unsigned us;
long unsigned int ul;
signed s;
unsigned u;
uint8_t u8;
int16_t i16;
ushort_t ush;
size_t size;
ptrdiff_t diff;
id_t who;

BEGIN
{
	sc = uc = c = us = ul = s = u = -1;
	printf("%d %d %d %d %d %d %d\n", sc, uc, c, us, ul, s, u);
	u8 = i16 = ush = size = diff = who = -1;
	printf("%d %d %d %d %d %d\n", u8, i16, ush, size, diff, who);
	sc = uc = c = us = 0x1ffe1;
	printf("%d %d %d %d\n", sc, uc, c, us);
	s = u = ul = 0x1ffffffe1;
	printf("%d %u %d\n", s, u, ul);
	exit(0);
}
