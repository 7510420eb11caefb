/*
 * Enums of the program's own: values, sizes, constants wherever one is asked for.
 * @ref d-language 7.4 values
 * @ref d-language 6.3 enum-as-int
 * @ref d-language 6.5 enumerators-and-inlines
 * @ref d-language 9.3 enums
 * @ref d-language 9.1 compare-enumerators
 * @ref d-builtins 5.1 enum
 */
#pragma D option quiet

enum colour { RED, GREEN = 4, BLUE, BELOW = -3, AFTER };
enum { ALONE = 7 };
enum colour c;
int a[BLUE];

BEGIN
{
	printf("%d %d %d %d %d %d\n", RED, GREEN, BLUE, BELOW, AFTER, ALONE);
	printf("%d %d %d\n", c, sizeof(c), sizeof(a));
	c = BLUE;
	printf("%d %d %d %d\n", c, c == BLUE, c == RED, c > GREEN);
	c = 4;
	printf("%d %d %d\n", c == GREEN, c + 1, -c);
	i = c;
	i += ALONE;
	printf("%d %d\n", i, sizeof(BLUE));
	printf("%d %d\n", c == GREEN ? RED : BLUE, GREEN | BELOW);
	trace(c);
	printf("\n");
	exit(0);
}
