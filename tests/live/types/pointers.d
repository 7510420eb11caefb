/*
 * Pointers: arithmetic in units of what they point to, p[i], differences, comparisons, chains of 12, a string's address,
 * and casts between them.
 * @ref d-language 11.1 scaled subscript chains
 * @ref d-language 9.1 add-pointers compare-pointers increment dereference address
 * @ref d-language 9.4 pointers integer-to-pointer scalars
 * @ref d-language 9.3 pointers
 */
#pragma D option quiet

struct s {
	char c;
	int i;
	struct s *next;
};
struct s *sp, many[4];
int a[6];
int *ip;
void *vp;
char *cp;
struct l { struct l *n; int v; };

BEGIN
{
	a[0] = 10;
	a[1] = 11;
	a[2] = 12;
	a[5] = 15;
	ip = &a[1];
	printf("%d %d %d %d %d\n", *ip, ip[1], *(ip + 1), *(ip - 1), ip[-1]);
	printf("%d %d %d\n", &a[5] - ip, ip - &a[5], (char *)(ip + 3) - (char *)ip);
	ip++;
	printf("%d ", *ip);
	ip += 3;
	printf("%d ", *ip--);
	printf("%d %d\n", *--ip == a[3], ip == &a[3]);
	printf("%d %d %d %d\n", ip > &a[2], ip <= &a[2], ip != NULL, ip == 0);
	many[2].i = 5;
	sp = &many[0];
	printf("%d %d %d\n", (sp + 2)->i, sp[2].i, (uint64_t)(sp + 1) - (uint64_t)sp);
	printf("%d %d\n", (int)&((struct s *)0)->next, (int)&((struct s *)0)[2].i);
	vp = &a[2];
	cp = (char *)vp;
	printf("%d %d %d\n", *(int *)vp, *cp, *(short *)(cp + 4));
	printf("%d\n", *(int *)(uint64_t)&curthread->tgid == pid);
	printf("%d %d\n", sizeof(*ip), sizeof(&many[1]));
}

BEGIN
{
	this->p = (struct l *)alloca(sizeof(struct l));
	this->p->n = this->p;
	this->p->v = 9;
	printf("%d\n", this->p->n->n->n->n->n->n->n->n->n->n->n->n->v);
	this->pp = (int ***)alloca(8);
	this->q = (int **)alloca(8);
	this->r = (int *)alloca(4);
	*this->r = 77;
	*this->q = this->r;
	*this->pp = this->q;
	printf("%d %d\n", ***this->pp, this->pp[0][0][0]);
	exit(0);
}
