/*
<<<<<<< HEAD
 * Enums of the program's own: values, sizes, constants wherever one is asked for.
 * @ref d-language 7.4 values
=======
 * Enumerators are int constants; those of the kernel's enums are known to the right of a comparison with such a value.
 * @ref d-language 7.4 values kernel-enumerators
>>>>>>> tmem
 * @ref d-language 6.3 enum-as-int
 * @ref d-language 6.5 enumerators-and-inlines
 * @ref d-language 9.3 enums
 * @ref d-language 9.1 compare-enumerators
<<<<<<< HEAD
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
=======
 */
#pragma D option quiet

enum color { RED, GREEN = 4, BLUE, SAME = 4, LESS = -3, MORE, SUM = GREEN + BLUE * 2 };
enum { ALONE = 0x7fffffff, LEAST = -2147483647 - 1 };
enum color c;
int size[SUM];

BEGIN
{
	printf("%d %d %d %d %d %d %d\n", RED, GREEN, BLUE, SAME, LESS, MORE, SUM);
	printf("%d %d %d %d\n", ALONE, LEAST, sizeof(size) / sizeof(int), sizeof(enum color));
	c = BLUE;
	printf("%d %d %d %d\n", c, c + 1, c == BLUE, c < GREEN);
	c = 77;
	i = 0;
	i = c;
	printf("%d %d %d\n", c, i, -c);
	c = (enum color)(LESS + 1);
	printf("%d %d\n", c, c == MORE);
	trace(c);
	trace("\n");
	this->e = (enum hrtimer_restart)1;
	printf("%d %d %d %d\n", this->e == HRTIMER_RESTART, this->e != HRTIMER_RESTART,
		this->e > HRTIMER_NORESTART, this->e <= HRTIMER_NORESTART);
>>>>>>> tmem
	exit(0);
}
