/*
 * Typedefs of structs, enums and functions; steps of pointers; members of every kind.
 * @ref d-language 7.1 typedef
 * @ref d-language 9.1 increment add-pointers add-assign member subscript
 * @ref d-language 11.1 scaled
 * @ref d-language 11.4 member-stores nested-members
 * @ref d-language 9.2 scratch-mix
 */
#pragma D option quiet

struct s {
	int a;
	long b;
};

typedef struct {
	short x;
	short y;
} pair_t;

typedef enum { ONE = 1, TWO } num_t;
typedef int (*fn_t)(int, char *);

struct ops {
	int (*open)(int);
	fn_t close;
	char name[8];
	const char *label;
};

union un {
	struct {
		int a;
		int b;
	} in;
	long l;
};

pair_t pair;
num_t num;
struct ops ops;
fn_t f;
struct s *sp;
int *ip;
union un un;

BEGIN
{
	ip = (int *)16;
	ip++;
	printf("%d", (long)ip);
	ip += 3;
	printf(" %d", (long)ip);
	--ip;
	printf(" %d", (long)ip);
	ip -= 2;
	printf(" %d\n", (long)ip);
	sp = (struct s *)0x1000;
	sp++;
	printf("%x %x %d\n", (long)sp, (long)(sp + 2), (sp + 2) - sp);
	printf("%d\n", (long)&sp->b - (long)sp);
}

BEGIN
{
	pair.x = 1;
	pair.y = -1;
	printf("%d %d %d\n", pair.x, pair.y, sizeof(pair_t));
	num = TWO;
	printf("%d %d\n", num, num == TWO);
	printf("%d %d %d\n", ops.open == NULL, f == 0, sizeof(struct ops));
	ops.name[0] = 'o';
	ops.name[1] = 'k';
	printf("[%s] %d\n", ops.name, strlen(ops.name));
	un.in.a = 5;
	un.in.b = 1;
	printf("%x\n", un.l);
}

BEGIN
{
	a[1] = pair;
	a[1].x = 2;
	printf("%d %d\n", a[1].x, a[1].y);
	a[1].x++;
	printf("%d\n", a[1].x);
	self->p = pair;
	self->p.y -= 4;
	printf("%d\n", self->p.y);
}

/* A pointer that may be of either kind can be used, if not kept. */
BEGIN
{
	v = *(pid ? (int *)alloca(4) : (int *)&curthread->pid);
	printf("ok\n");
	exit(0);
}
