/*
 * The left side of a comparison is what it was before the right side assigned to it.
 * @ref d-language 5.5 left-to-right
 */
#pragma D option quiet

string g;

string set(string s)
{
	g = s;
	return s;
}

BEGIN
{
	printf("%d", g == (g = "x"));
	printf("%d", g == (g = "x"));
	printf("%d", g == set("y"));
	printf("%d", g < set("z"));
	printf("%d\n", (g = "w") == g);
	exit(0);
}
