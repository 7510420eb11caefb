/*
 * xlate: one member of a translation evaluated where it stands, by either spelling; the types of
 * the members, inputs of every kind, translators in translators.
 * @ref d-language 16.1 output-struct output-member member-type input-type nested
 * @ref d-language 16.2 member pointer-member statement
 */
#pragma D option quiet

struct in { int a; int b; };
struct point { int x; int y; };
struct out { int i; char c; string s; long l; struct point pt; int *ptr; int never; };
union either { int i; long l; };
struct sum { int total; };
typedef int number;
typedef struct out out_t;

int g;
struct in v;
struct point origin;

translator struct out < int n > {
	i = n * 2;
	c = n;
	s = "text";
	l = g;
	pt = origin;
	ptr = (int *)n;
};
translator struct out < struct task_struct *t > { i = t->tgid; s = stringof(t->comm); };
translator struct out < struct in i > { i = i.a + i.b; };
translator struct out < string s > { i = strlen(s); s = strjoin(s, "!"); };
translator union either < int n > { i = n; l = -n; };
translator struct sum < long n > { total = xlate <struct out> ((int)n).i + xlate <union either> ((int)n).i; };

BEGIN
{
	g = 7;
	origin.y = 9;
	printf("%d %d\n", xlate <struct out> (4).i, xlate <struct out *> (4)->i);
	printf("%s %s\n", xlate <struct out> (4).s, xlate <struct out *> (4)->s);
	printf("%d %d %d\n", xlate <struct out> (300).c, sizeof(xlate <struct out> (4).c),
		sizeof(xlate <struct out> (4).l));
	printf("%d", xlate <struct out> (4).l);
	g = 8;
	printf(" %d\n", xlate <struct out> (4).l);
	printf("%d %d %p\n", xlate <struct out> (1).pt.y, xlate <struct out *> (1)->pt.y, xlate <struct out> (16).ptr);
	printf("%d %d\n", xlate <out_t> (5).i, xlate <out_t *> (5)->i);
	printf("%d %d\n", xlate <struct out> ((number)6).i, xlate <struct out> ((char)7).i);
	v.a = 3;
	v.b = 4;
	printf("%d %d %s\n", xlate <struct out> (v).i, xlate <struct out> ("four").i, xlate <struct out> ("hey").s);
	printf("%d %s\n", xlate <struct out> (curthread).i == pid, xlate <struct out *> (curthread)->s);
	printf("%d %d\n", xlate <union either> (5).i, xlate <union either> (5).l);
	printf("%d\n", xlate <struct sum> (10L).total);
	xlate <struct out> (4);
	xlate <struct out *> (4);
	printf("a statement does nothing\n");
}

/* in predicates, keys, values, conditions, arguments */
BEGIN /xlate <struct out> (0).i/ { printf("never\n"); }
BEGIN /xlate <struct out> (1).i == 2/ { printf("predicate\n"); }

BEGIN
{
	@[xlate <struct out> (4).i, xlate <struct out> (4).s] = sum(xlate <struct out> (4).l);
	a[xlate <struct out> (2).i] = xlate <struct out> (3).s;
	printf("%s %s\n", a[4], xlate <struct out> (4).i > 7 ? "more" : "less");
	exit(0);
}
