/*
 * Shifts by more than the width, and by less than nothing: no fault, and of an int nothing is left.
 * @ref d-language 6.3 shift-count
 */
#pragma D option quiet

BEGIN
{
	one = 1;
	big = 100;
	neg = -6;
	i = one << big;
	printf("%d", i);
	i = one << neg;
	printf(" %d", i);
	i = 1 << 100;
	printf(" %d", i);
	i = 1 << -6;
	printf(" %d\n", i);
	i = 1;
	i <<= big;
	printf("%d\n", i);
	exit(0);
}
