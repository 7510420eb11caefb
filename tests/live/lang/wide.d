/*
 * Integers are computed in 64 bits; what an operator gives is cut to its type where it is stored,
 * cast, recorded, used as a key or returned.
 * @args -q 3
 * @ref d-language 6.5 operators casts
 */
int64_t g;
int i;
uint32_t u;

int twice(int n)
{
	return n * 2;
}

inline int BIG = 3 * 1000000000;

BEGIN
{
	/* seconds as people write them */
	t = (uint64_t)1000;
	printf("%d\n", t + 10 * 1000000000 == 10000001000);
	printf("%d\n", (uint64_t)3000000000 == $1 * 1000000000);
	this->ms = (int)5000;
	printf("%d\n", this->ms * 1000 * 1000 / 1000);
	i = 3;
	printf("%d\n", i * 1000000000 > 2999999999);
	printf("%d\n", (i * 1000000000 + 5) % 10);
	g = i << 40;
	printf("%d\n", g);
	g = 1 << 40;
	printf("%d\n", g);
	printf("%d\n", i ? i * 1000000000 > 0 : 0);
	printf("%d\n", (-i) * 1000000000 < -2999999999);
}

BEGIN
{
	/* the type says what is kept of it */
	printf("%d %d\n", 3 * 1000000000, i * 1000000000);
	x = 3 * 1000000000;
	this->y = i * 1000000000;
	a["k"] = i * 1000000000;
	printf("%d %d %d %d\n", x, this->y, a["k"], BIG);
	printf("%d\n", x + 0 < 0 && this->y + 0 < 0 && a["k"] + 0 < 0 && BIG + 0 < 0);
	printf("%d %d\n", (int)(1 << 40), (int)(i << 33) + 1);
	printf("%d\n", (x = i * 1000000000) < 0);
	printf("%d %d\n", twice(1 << 30), twice(i * 1000000000) > 0);
	i += 3000000000;
	printf("%d\n", i);
	i = 3;
	i *= 1000000000;
	printf("%d\n", i);
	i = 3;
}

BEGIN
{
	/* it says how / % >> and comparisons take the bits, too */
	u = 5;
	printf("%u %d\n", u - 10, u - 10 > 0);
	printf("%d\n", (u - 10) >> 63);
	printf("%d %d\n", -1 < u, -1 / 2 == 0);
	/* shift counts are modulo 64 */
	printf("%d %d %d %d\n", 1 << 64, i << (61 + i), i >> 64, (i - 4) >> 127);
	/* char, short and bit-fields are promoted as in C */
	this->c = (char)200;
	this->uc = (unsigned char)200;
	printf("%d %d %d\n", this->c + 100, this->uc << 4, -this->uc);
}

BEGIN
{
	@s = sum(i * 1000000000);
	@q = quantize(1, i * 1000000000);
	@m = max(1 << i * 10);
	@k[i * 1000000000] = count();
	printa("%@d\n", @s);
	printa(@q);
	printa("%@d\n", @m);
	printa("%d\n", @k);
	exit(0);
}
