/*
 * Unary operators and shifts of each integer type.
 * @ref d-language 9.1 unary-sign bitwise-not
 * @ref d-language 6.3 shift-type shift-signedness
 */
#pragma D option quiet

char c;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned int u;
long l;
unsigned long ul;

BEGIN
{
	c = -100;
	uc = 200;
	s = -30000;
	us = 60000;
	i = -2000000000;
	u = 4000000000;
	l = -9000000000000000000;
	ul = 18000000000000000000u;
}

BEGIN
{
	printf("-c ~c !c +c: %d %d %d %d\n", -c, ~c, !c, +c);
	printf("-uc ~uc !uc +uc: %d %d %d %d\n", -uc, ~uc, !uc, +uc);
	printf("-s ~s !s +s: %d %d %d %d\n", -s, ~s, !s, +s);
	printf("-us ~us !us +us: %d %d %d %d\n", -us, ~us, !us, +us);
	printf("-i ~i !i +i: %d %d %d %d\n", -i, ~i, !i, +i);
	printf("-u ~u !u +u: %d %d %d %d\n", -u, ~u, !u, +u);
	printf("-l ~l !l +l: %d %d %d %d\n", -l, ~l, !l, +l);
	printf("-ul ~ul !ul +ul: %d %d %d %d\n", -ul, ~ul, !ul, +ul);
	printf("c shifted: %d %d %d %d %d %d\n", c << 1, c >> 1, c << 3, c >> 5, c << 31, c >> 31);
	printf("uc shifted: %d %d %d %d %d %d\n",
		uc << 1, uc >> 1, uc << 3, uc >> 5, uc << 31, uc >> 31);
	printf("s shifted: %d %d %d %d %d %d\n", s << 1, s >> 1, s << 3, s >> 5, s << 31, s >> 31);
	printf("us shifted: %d %d %d %d %d %d\n",
		us << 1, us >> 1, us << 3, us >> 5, us << 31, us >> 31);
	printf("i shifted: %d %d %d %d %d %d\n", i << 1, i >> 1, i << 3, i >> 5, i << 31, i >> 31);
	printf("u shifted: %d %d %d %d %d %d\n", u << 1, u >> 1, u << 3, u >> 5, u << 31, u >> 31);
	printf("l shifted: %d %d %d %d %d %d %d %d %d\n",
		l << 1, l >> 1, l << 3, l >> 5, l << 31, l >> 31, l << 63, l >> 63, l << 40);
	printf("ul shifted: %d %d %d %d %d %d %d %d %d\n",
		ul << 1, ul >> 1, ul << 3, ul >> 5, ul << 31, ul >> 31, ul << 63, ul >> 63,
		ul << 40);
	printf("shift count types: %d %d %d %d %d %d %d\n",
		i >> (char)3, i >> (unsigned long)3, 1 << us - 59970, u >> (uc - 190),
		(short)-5 >> 1, (unsigned short)65535 << 1, (unsigned char)255 << 4);
	exit(0);
}
