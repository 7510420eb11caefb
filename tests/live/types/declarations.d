/*
 * Declarations that are fine: no type, extern, qualifiers, several declarators, the same one twice, names that only differ
 * in their class, key names, a variable that got its type by assignment before.
 * @ref d-language 7.1 global-extern self this typedef default-int
 * @ref d-language 7.2 same-type three-namespaces
 * @ref d-language 6.2 qualifiers
 * @ref d-language 7.3 associative
 */
#pragma D option quiet

self x;
this x;
extern x;
int x;
extern int x;
const int c;
volatile long v;
int const volatile *const restrict q;
typedef struct pair { const int a; short b; } pair_t, *pair_p;
typedef int row_t[3];
pair_t pr;
row_t rows[2];
int n, *np, na[2], nk[int], (*f)(int, char *), **pp;
int named[int key, string name];
int named[int, string];
self string str;
this string str;
char str;
extern int prototype(int, void *);

BEGIN
{
	early = 3;
	self->x = -1;
	this->x = 70000;
	x = 1 << 31;
	printf("%d %d %d %d %d\n", self->x, this->x, x, sizeof(self->x), sizeof(this->x));
	c = 3;
	v = 4;
	q = &curthread->tgid;
	printf("%d %d %d\n", c, v, *q == pid);
	pr.a = 5;
	rows[1][2] = 6;
	printf("%d %d %d %d\n", pr.a, rows[1][2], sizeof(pair_t), sizeof(*(pair_p)0));
	n = na[1] = nk[3] = 7;
	printf("%d %d %d %d %d\n", n, na[1], nk[3], sizeof(f), pp == NULL);
	named[1, "one"] = 8;
	self->str = "self";
	this->str = "this";
	str = 'g';
	printf("%d %s %s %c\n", named[1, "one"], self->str, this->str, str);
}

int early;

BEGIN
{
	printf("%d\n", early);
	exit(0);
}
