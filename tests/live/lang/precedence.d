/*
 * Precedence and associativity, by value; golden/parse/precedence has the trees.
 * @ref d-language 9 precedence associativity sizeof-without-parentheses
 */
#pragma D option quiet

int i;
int j;

BEGIN
{
	i = 1;
	j = 2;
}

BEGIN
{
	printf("precedence 1: %d %d %d %d %d %d %d %d\n",
		2 + 3 * 4, (2 + 3) * 4, 2 * 3 + 4, 20 / 2 / 5, 20 - 5 - 3, 20 % 7 * 2,
		1 << 2 + 1, 1 + 2 << 1);
	printf("precedence 2: %d %d %d %d %d %d %d %d\n",
		16 >> 1 << 2, 1 < 2 == 1, 3 > 2 > 1, 1 == 1 != 0, 6 & 3 == 3, 6 & 3 | 8,
		6 ^ 3 & 1, 1 | 2 ^ 2 & 6);
	printf("precedence 3: %d %d %d %d %d %d %d %d\n",
		1 || 0 && 0, 0 && 1 || 1, ~1 + 1, -2 * -3, !0 + 1, -1 >> 1 & 1, (i = 3, 4),
		1 ? 2 : 0 ? 3 : 4);
	printf("precedence 4: %d %d %d %d %d %d %d %d\n",
		5 - -3, 5 - - -3, ~~5, !!5, sizeof 1 + 1, (char)300 + 1, -(char)300, - 2 - 1);
	printf("i-- - 1: %d\n", i-- - 1);
	printf("-i++: %d\n", -i++);
	printf("i += 2 * 3: %d\n", i += 2 * 3);
	printf("i -= j = 1: %d\n", i -= j = 1);
	printf("i = j = 7: %d\n", i = j = 7);
	printf("i << j - 5: %d\n", i << j - 5);
	printf("i > j ? i : j: %d\n", i > j ? i : j);
	printf("i == j && j == 7 || 0: %d\n", i == j && j == 7 || 0);
	printf("(i, j) + 1: %d\n", (i, j) + 1);
	printf("j++ * 2: %d\n", j++ * 2);
	exit(0);
}
