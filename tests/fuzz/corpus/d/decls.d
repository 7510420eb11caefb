int x, *p, a[int, string], b[5]; unsigned long long big; self string s; this char c; string t[int64_t];
struct point { int x, y; struct point *next; unsigned f : 3, : 2, g : 7; union { int u; } v; };
enum color { RED, GREEN = 4, BLUE }; typedef unsigned int word; typedef struct point point_t;
inline int LIMIT = 10 * 2; inline string hello = "hi"; extern int e;
translator point_t < int *q > { x = *q; };
provider prov { probe go(int, char *); probe stop(int a) : (int a); };
BEGIN { x = LIMIT + RED + sizeof (struct point) + offsetof(struct point, y); a[1, "a"]++; trace(a[1, "a"]); }
BEGIN { trace(xlate <point_t> (p).x); trace(`sym); trace(mod`sym); x = (word)x; trace(*p); trace(&b[1]); }
