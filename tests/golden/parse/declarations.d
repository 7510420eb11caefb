/*
 * Declarations of every form.
 * @status 1
 * @filter '/^dtrace: /d'
 * @ref d-language 7.3 scalar-array array-of-arrays associative; d-language 6.1 any-order; d-language 6.2 qualifiers */
int a;
int b, *c, **d, e[5], *f[3], (*g)[4];
unsigned long long int h;
long unsigned long i;
short j;
signed char k;
string l;
self int m;
this string n;
self o;
this p;
extern int q;
int r[int, string, char *];
self char *s[uint64_t];
const volatile int t;
struct task_struct *u;
struct u *v;
union w *x;
enum y z;
typedef int my_t;
my_t aa;
typedef struct task_struct *task_p, *other_p;
task_p bb[my_t];
struct s { int a; char b[4], *c; struct s *next; struct { int d; } e; unsigned f : 3; int : 0; };
union { int a; long b; } cc;
enum { A, B = 3, C };
enum e { D = 1 << 2, E, };
inline int F = 3 + 4;
inline string G = "g";
inline int H[int a, char *b] = a;
uint32_t dd;
pid_t ee;
int (*ff)(int, char *);
int gg(void);
void *hh;
int ii[2][3];
BEGIN { (my_t)a; (struct s *)b; (int (*)[2])c; (task_p)d; sizeof(struct s); (unsigned)e; }
my_t *jj;
BEGIN { xlate <struct s> (a).b; xlate <struct s *> (a)->b; }
