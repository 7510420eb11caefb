/*
 * A variable of the output type takes a whole translation: every member that the translator says,
 * zero for those that it does not.
 * @ref d-language 16.2 whole-struct
 */
#pragma D option quiet

struct out { int a; char c; string s; long l; int never; };
translator struct out < int n > { a = n; c = n + 1; s = lltostr(n); l = n * 10; };

struct out v;
this struct out w;
struct out element[int];

BEGIN
{
	v.never = 8;
	v = xlate <struct out> (5);
	printf("%d %d %s %d %d\n", v.a, v.c, v.s, v.l, v.never);
	v = xlate <struct out> (6);
	printf("%d %d %s %d %d\n", v.a, v.c, v.s, v.l, v.never);
	this->w = xlate <struct out> (7);
	printf("%d %d %s %d %d\n", this->w.a, this->w.c, this->w.s, this->w.l, this->w.never);
	element[1] = v;
	printf("%d %s\n", element[1].a, element[1].s);
	element[1] = xlate <struct out> (9);
	printf("%d %s\n", element[1].a, element[1].s);
	exit(0);
}
