/*
 * string<N>: at most N bytes, for variables of every class, elements, keys, parameters and results;
 * as a value a string like others.
 */
#pragma D option quiet

inline int SIX = 6;
string<4> g;
self string<3> t;
this string<2> c;
string<5> element[int];
int keyed[string<3>];
string<SIX + 1> seven;
string wide;

string<4> cut(string<2> s) { return strjoin(s, "1234"); }

BEGIN
{
	printf("[%s]%d\n", g, strlen(g));
	g = "abcdefgh";
	self->t = "abcdefgh";
	this->c = g;
	element[1] = "abcdefgh";
	element[2] = "x";
	seven = "abcdefgh";
	wide = g;
	printf("%s %s %s %s %s %s %s\n", g, self->t, this->c, element[1], element[2], seven, wide);
	printf("%d %d %d %d %d %d\n", sizeof(g), sizeof(self->t), sizeof(this->c), sizeof(element[1]),
		sizeof(seven), sizeof(string<12>));
	printf("%d %d %d\n", strlen(g), g == "abcd", g == "abcdefgh");
	printf("%s %s %s %d\n", strjoin(g, g), substr(g, 2), g + 1 ? "+" : "-", g[3]);
	this->cast = (string<3>)"abcdefgh";
	printf("%s %d %d\n", this->cast, sizeof(this->cast), strlen((string<5>)wide));
	@cast[(string<3>)"abcdefgh"] = count();
	g = "";
	printf("[%s] %d\n", g, g == "");
	g = "z";
	printf("%s %s %s\n", g, cut("abc"), cut(g));
	keyed["abc"] = 1;
	printf("%d %d\n", keyed["abc"], keyed["ab"]);
	g = "abcdefgh";
	@[g] = count();
	@[g] = count();
	@both[self->t, g] = sum(2);
	wide = "abcdefgh";
	g = wide;
	trace(g);
	trace(wide);
	exit(0);
}
