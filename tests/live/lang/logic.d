/*
 * Logical operators, ?: and the comma: values, short circuits, order.
 * @ref d-language 5.5 short-circuit xor-both one-branch comma
 * @ref d-language 9.1 logical logical-not comma
 * @ref d-language 9.2 integers strings
 * @ref d-language 6.3 truth
 * @ref d-language 1.8 logical-xor
 */
#pragma D option quiet

BEGIN
{
	n = 0;
	zero = 0;
	two = 2;
	p = (int *)0;
	q = curthread;
	u = 4000000000u;
	l = -1l;
}

BEGIN
{
	printf("and %d %d %d %d\n", zero && zero, zero && two, two && zero, two && two);
	printf("or %d %d %d %d\n", zero || zero, zero || two, two || zero, two || two);
	printf("xor %d %d %d %d\n", zero ^^ zero, zero ^^ two, two ^^ zero, two ^^ two);
	printf("not %d %d %d %d\n", !zero, !two, !!two, !-1);
	printf("pointers %d %d %d %d %d\n", !p, !q, p && 1, q && 1, p || q);
	printf("high bits %d %d %d\n", 0x100000000 && 1, !0x100000000, (two - 2 + 0x100000000) || 0);
	printf("of three %d %d %d\n", 1 && two && 3, zero || zero || two, 1 ^^ two ^^ two);
	printf("sizes %d %d %d\n", sizeof(l && l), sizeof(!l), sizeof(l == l));
}

/* Whether the right side is evaluated. */
BEGIN
{
	printf("%d", zero && n++);
	printf(" n %d\n", n);
	printf("%d", two && n++);
	printf(" n %d\n", n);
	printf("%d", two || n++);
	printf(" n %d\n", n);
	printf("%d", zero || n++);
	printf(" n %d\n", n);
	printf("%d", zero ^^ n++);
	printf(" n %d\n", n);
	printf("%d", two ^^ n++);
	printf(" n %d\n", n);
	two && (n = 100, zero) && (n = 200);
	printf("nested %d\n", n);
	zero || (n = 300) || (n = 400);
	printf("nested %d\n", n);
}

BEGIN
{
	a = b = 0;
	printf("?: %d %d\n", two ? 10 : 20, zero ? 10 : 20);
	printf("?: %d %d %d\n", two ? a++ : b++, a, b);
	printf("?: %d %d %d\n", zero ? a++ : b++, a, b);
	printf("of pointers %d %d\n", q ? 1 : 0, p ? 1 : 0);
	printf("right to left %d %d %d\n", zero ? 1 : two ? 2 : 3, zero ? 1 : zero ? 2 : 3,
		two ? zero ? 4 : 5 : 6);
	printf("of strings %s %s\n", two ? "two" : "none", zero ? "two" : "none");
	printf("mixed types %d %d %d\n", two ? -1 : u, sizeof(two ? 1 : 1l), zero ? u : l);
	printf("in between %d\n", (two ? 1 : 2) + (zero ? 10 : 20));
	printf("%s\n", two > 1 ? two > 2 ? "> 2" : "2" : "< 2");
}

BEGIN
{
	a = (b = 5, b + 1);
	printf("comma %d %d\n", a, b);
	a++, b--, a += b;
	printf("comma %d %d\n", a, b);
	printf("comma %s\n", (1, "last"));
	a = 1, b = 2;
	printf("assignments %d %d\n", a, b);
	exit(0);
}
