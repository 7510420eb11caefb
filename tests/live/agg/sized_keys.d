/*
 * A key that is a string<N> at its first use does not cut the others.
 * @ref d-language 8.3
 */
#pragma D option quiet

string<3> narrow;

BEGIN
{
	narrow = "abc";
	@a[narrow] = count();
	@a["abcdef"] = count();
	m[narrow] = 1;
	m["abcdef"] = 4;
	printf("%d %d %d\n", m["abc"], m["abcdef"], m[narrow]);
	exit(0);
}
