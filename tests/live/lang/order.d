/*
 * Operands and arguments are evaluated from left to right, of an aggregation the keys first.
 * @ref d-language 5.5 left-to-right keys-before-value
 */
#pragma D option quiet

BEGIN
{
	i = 1;
	printf("%d %d %d\n", i++, i++, i++);
	printf("%d\n", i++ * 10 + i++);
	printf("%d\n", (i = 2) - (i = 5) * i);
	printf("%d %d\n", i++ < i++, i++ == i++ - 1);
	k[i++, i++] = 1;
	printf("%d %d %d\n", k[9, 10], k[10, 9], i);
	j = 0;
	@["key", j++] = sum(j++ + 10);
	printf("%s\n", substr("abcdef", j, j++));
	exit(0);
}
