/*
 * Functions of D: parameters and results have their types and are copies, functions call those
 * above them, a name of a parameter hides a variable, return leaves loops too.
 */
#pragma D option quiet

int x;
string s;
struct point { int x; int y; };
struct point p;
inline int FACTOR = 3;

int twice(int a) { return a * 2; }
int thrice(int a) { return a * FACTOR; }
int both(int a) { return twice(a) + thrice(a + 1); }
char narrow(int a) { return a; }
unsigned char of_char(char a) { return a; }
uint64_t wide(int a) { return a; }
int changed(int a) { a++; a *= 2; return a; }
int hides(int x) { x = 5; return x; }
int nothing(int a) { }
int some(int a) { if (a) return 5; }
int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
string name(string a, int n) { return n > 1 ? strjoin(a, "s") : a; }
string longer(string a, string b) { if (strlen(a) > strlen(b)) return a; return b; }
string maybe(int a) { if (a) return NULL; return "some"; }
string same(string a) { return a; }
int is_null(string a) { return a == NULL; }
int is_me(struct task_struct *t) { return t->tgid == pid; }
struct task_struct *me(void) { return curthread; }
int length(struct point q) { q.x *= q.x; return q.x + q.y * q.y; }
int on_process(void) { return $target == 0 && pid > 0; }
void set(int a) { x = a; return; x = 0; }

int square_root(int n)
{
	for (this->r = 0; this->r < 100; this->r++)
		if (this->r * this->r >= n)
			return this->r;
	return -1;
}

int divisor(int n)
{
	for (this->a = 2; this->a < 20; this->a++) {
		for (this->b = 2; this->b < 20; this->b++) {
			if (this->a * this->b == n)
				return this->a;
		}
	}
	return 0;
}



BEGIN
{
	printf("%d %d %d\n", twice(4), thrice(4), both(4));
	printf("%d %d %d %d\n", narrow(300), narrow(200), of_char(-1), of_char(511));
	printf("%d %x\n", sizeof(narrow(1)), wide(-1));
	x = 9;
	printf("%d %d, %d %d\n", changed(x), x, hides(1), x);
	printf("%d %d %d\n", nothing(7), some(1), some(0));
	printf("%d\n", many(1, 2, 3, 4, 5, 6, 7, 8));
	printf("%s %s %s\n", name("cat", 1), name("dog", 2), name(name("b", 2), 2));
	printf("%s %d %d\n", longer("abc", "ab"), is_null(NULL), is_null(""));
	printf("%d %s %d\n", maybe(1) == NULL, maybe(0), same(NULL) == NULL);
	printf("%d %d %d\n", is_me(curthread), me()->tgid == pid, on_process());
	p.x = 3;
	p.y = 4;
	printf("%d %d\n", length(p), p.x);
	set(17);
	printf("%d\n", x);
	printf("%d %d %d %d %d\n", square_root(50), square_root(100000), divisor(35), divisor(323), divisor(37));
	printf("%d\n", twice(twice(twice(twice(1)))));
}

/* in predicates, keys, aggregated values, conditions, other statements */
BEGIN /twice(0)/ { printf("never\n"); }
BEGIN /twice(1)/ { printf("predicate\n"); }

BEGIN
{
	a[twice(1), name("k", 2)] = thrice(2);
	printf("%d\n", a[2, "ks"]);
	@f[twice(2)] = sum(thrice(3));
	x = 1;
	x += twice(x);
	a[2, "ks"] += twice(a[2, "ks"]) + twice(1);
	printf("%d %d\n", x, a[2, "ks"]);
	if (twice(0) || twice(1))
		printf("condition\n");
	for (i = 0; twice(i) < 6; i++)
		printf("%d ", twice(i));
	printf("%s\n", twice(1) > 1 ? name("yes", 0) : "no");
	exit(0);
}
