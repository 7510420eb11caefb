/*
 * Tags that are completed later, by the program or by the kernel; structs that point to themselves and to each other.
 * @ref d-language 7.6 forward-tag completed-later self-referential
 */
#pragma D option quiet

struct later;
struct later *early;
struct task_struct *kernels;
union both *u;
struct node {
	struct node *next;
	struct edge *edge;
	int value;
};
struct edge {
	struct node *from;
	struct node *to;
	struct node inside;
};
struct later {
	char a;
	struct later *l;
	long b;
};
union both {
	int i;
	union both *b;
};

BEGIN
{
	printf("%d %d %d\n", sizeof(*early), offsetof(struct later, b), sizeof(*u));
	printf("%d\n", sizeof(struct edge));
	kernels = curthread;
	printf("%d\n", kernels->tgid == pid);
	this->a = (struct node *)alloca(sizeof(struct node));
	this->b = (struct node *)alloca(sizeof(struct node));
	this->e = (struct edge *)alloca(sizeof(struct edge));
	this->a->next = this->b;
	this->a->value = 1;
	this->b->next = this->a;
	this->b->value = 2;
	this->a->edge = this->e;
	this->e->from = this->b;
	this->e->to = this->a;
	this->e->inside.value = 3;
	printf("%d %d %d %d\n", this->a->next->value, this->a->next->next->value,
		this->a->edge->from->next->next->value, this->b->next->edge->inside.value);
	this->l = (struct later *)alloca(sizeof(struct later));
	this->l->l = this->l;
	this->l->b = 9;
	printf("%d\n", this->l->l->l->l->l->b);
	exit(0);
}
