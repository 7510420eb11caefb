/*
 * Elements and keys of several kilobytes.
 * @ref d-language 8.3 struct-keys
 * @ref d-language 8.2 struct-assigned
 * @ref d-language 11.4 whole-copy
 */
#pragma D option quiet

struct big {
	int v[1000];
	int last;
};
struct big g;
struct big element[int, string];
self struct big mine[int];
int keyed[struct big];

BEGIN
{
	g.v[999] = 1;
	g.last = 2;
	element[5, "x"] = g;
	element[5, "x"].v[0] = 3;
	self->mine[6] = element[5, "x"];
	i = 999;
	printf("%d %d %d\n", element[5, "x"].v[i], element[5, "x"].last, element[5, "x"].v[0]);
	printf("%d %d %d\n", self->mine[6].v[i], self->mine[6].last, self->mine[6].v[0]);
	keyed[g] = 4;
	g.v[500]++;
	printf("%d ", keyed[g]);
	keyed[g] = 5;
	g.v[500]--;
	printf("%d\n", keyed[g]);
	exit(0);
}
