/*
 * Enumerators are int constants; those of the kernel's enums are known to the right of a comparison with such a value.
 * @ref d-language 7.4 values kernel-enumerators
 * @ref d-language 6.3 enum-as-int
 * @ref d-language 6.5 enumerators-and-inlines
 * @ref d-language 9.3 enums
 * @ref d-language 9.1 compare-enumerators
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
	exit(0);
}
