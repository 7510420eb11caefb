/*
 * NULL and "" are two things: what is NULL and what is empty, comparison with either; NULL is below all strings.
 * @ref d-language 10.2 empty-is-not-null null-equality null-below-all
 * @ref d-language 10.4 global-unassigned element-unassigned assigned-null not-found unselected
 * @ref d-language 8.3 unset-element
 * @ref d-language 8.4 empty-string-stays
 */
#pragma D option quiet

string global;
self string own;
string element[int];
this string clauses;

BEGIN
{
	printf("declared global: \"\" %d, NULL %d\n", global == "", global == NULL);
	printf("thread's: \"\" %d, NULL %d\n", self->own == "", self->own == NULL);
	printf("element: \"\" %d, NULL %d\n", element[1] == "", element[1] == NULL);
	self->own = "";
	element[1] = "";
	printf("assigned \"\": %d %d, %d %d\n", self->own == "", self->own == NULL, element[1] == "", element[1] == NULL);
	self->own = NULL;
	element[1] = 0;
	global = NULL;
	printf("assigned NULL: %d %d, %d %d, %d %d\n", self->own == "", self->own == NULL, element[1] == "",
		element[1] == NULL, global == "", global == NULL);
	global = "";
	printf("and again \"\": %d %d\n", global == "", global == NULL);
	global = 0;
	printf("and 0: %d %d\n", global == "", global == NULL);
	this->clauses = "";
	printf("this: %d %d\n", this->clauses == "", this->clauses == NULL);
	this->clauses = NULL;
	printf("this: %d %d\n", this->clauses == "", this->clauses == NULL);
}

/* Results; each also kept in a variable. */
BEGIN
{
	a = strstr("abc", "x");
	b = strchr("abc", 'x');
	c = strrchr("abc", 'x');
	d = strtok("", "x");
	e = substr("abc", 3);
	f = strstr("abc", "");
	printf("results %d %d %d %d\n", strstr("abc", "x") == NULL, strchr("abc", 'x') == 0, NULL == strrchr("abc", 'x'),
		0 == strtok("", "x"));
	printf("variables %d %d %d %d, %d %d\n", a == NULL, b == NULL, c == NULL, d == NULL, e == NULL, f == NULL);
	printf("is not \"\" %d %d %d %d, %d\n", a != "", b != "", c != "", d != "", e != "");
	g = a;
	self->own = a;
	element[2] = b;
	printf("copied %d %d %d\n", g == NULL, self->own == NULL, element[2] == NULL);
	printf("conditions %d %d %s %s\n", (1 ? a : "x") == NULL, (0 ? "x" : NULL) == NULL, a == NULL ? "none" : a,
		e != NULL ? "empty" : e);
}

BEGIN
{
	x = "x";
	printf("NULL and \"x\": %d%d%d%d%d%d\n", a == x, a != x, a < x, a <= x, a > x, a >= x);
	printf("\"x\" and NULL: %d%d%d%d%d%d\n", x == a, x != a, x < a, x <= a, x > a, x >= a);
	printf("NULL and \"\": %d%d%d%d%d%d\n", a == e, a != e, a < e, a <= e, a > e, a >= e);
	printf("\"\" and NULL: %d%d%d%d%d%d\n", e == a, e != a, e < a, e <= a, e > a, e >= a);
	printf("NULL and NULL: %d%d%d%d%d%d\n", a == b, a != b, a < b, a <= b, a > b, a >= b);
	printf("constants %d%d%d%d%d%d\n", a == "", a != "", a < "", a <= "", a > "", a >= "");
	printf("literally NULL %d%d %d%d %d%d\n", a == NULL, a != NULL, x == NULL, x != NULL, e == NULL, e != NULL);
	printf("literally 0 %d%d %d%d %d%d\n", a == 0, a != 0, x == 0, x != 0, 0 == e, 0 != e);
}

BEGIN
/a == NULL && x != NULL && self->own == NULL/
{
	printf("in a predicate\n");
}

BEGIN
/strstr("abc", "b") != NULL && strstr("abc", "d") == NULL/
{
	printf("found or not\n");
	exit(0);
}
