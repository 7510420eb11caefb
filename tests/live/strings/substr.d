/*
 * substr(): every combination of signs, as Perl has it; with constants and with variables.
 * @ref d-builtins 3.2 substr
 */
#pragma D option quiet

BEGIN
{
	s = "abcdef";
	printf("[%s] [%s] [%s] [%s]\n", substr("abcdef", 0), substr("abcdef", 2), substr("abcdef", 5),
		substr("abcdef", 6));
	printf("[%s] [%s] [%s]\n", substr("abcdef", 7), substr("", 0), substr("", 3));
	printf("from the end [%s] [%s] [%s] [%s]\n", substr(s, -1), substr(s, -6), substr(s, -7), substr(s, -100));
	printf("count [%s] [%s] [%s] [%s]\n", substr(s, 0, 0), substr(s, 0, 1), substr(s, 2, 3), substr(s, 2, 100));
	printf("count at the end [%s] [%s] [%s]\n", substr(s, 5, 1), substr(s, 6, 1), substr(s, 100, 1));
	printf("both [%s] [%s] [%s] [%s]\n", substr(s, -2, 1), substr(s, -2, 2), substr(s, -2, 3), substr(s, -6, 6));
	printf("before the start [%s] [%s] [%s] [%s]\n", substr(s, -8, 1), substr(s, -8, 2), substr(s, -8, 3),
		substr(s, -8, 100));
	printf("dropped [%s] [%s] [%s] [%s]\n", substr(s, 0, -1), substr(s, 0, -5), substr(s, 0, -6), substr(s, 0, -7));
	printf("dropped [%s] [%s] [%s] [%s]\n", substr(s, 2, -1), substr(s, 2, -3), substr(s, 2, -4), substr(s, 2, -5));
	printf("dropped [%s] [%s] [%s] [%s]\n", substr(s, -3, -1), substr(s, -3, -2), substr(s, -3, -3),
		substr(s, -8, -1));
	printf("no count [%s] [%s]\n", substr(s, -3, 0), substr(s, 6, 0));
	printf("limits [%s] [%s] [%s]\n", substr(s, 2147483647), substr(s, -2147483647), substr(s, 1, 2147483647));
	printf("of results [%s] [%s]\n", substr(strjoin(s, s), 4, 4), substr(substr(s, 1), 1, 2));
}

BEGIN
{
	i = 0;
}

BEGIN { i = -7; n = -2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = -3; n = -2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = -3; n = 2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = -7; n = 2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = 1; n = 2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = 1; n = -2; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = 5; n = 5; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); }
BEGIN { i = 6; n = 0; printf("%d %d: [%s] [%s]\n", i, n, substr(s, i, n), substr(s, i)); exit(0); }
