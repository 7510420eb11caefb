/*
 * Tags that are defined later, structs that point to their own kind; the program's types hide the kernel's.
 * @ref d-language 7.6 forward-tag completed-later self-referential
 * @ref d-language 6.2 program-before-kernel
 */
#pragma D option quiet

struct my_node;
struct my_node *head;
struct later *other;

struct my_node {
	struct my_node *next;
	struct later *l;
	int value;
};

struct later {
	struct my_node *n;
	char c;
};

struct hlist_node {
	char only;
};

typedef short pid_type_of_mine;

BEGIN
{
	printf("%d %d\n", head == NULL, other == NULL);
	printf("%d %d %d\n", sizeof(struct my_node), sizeof(struct later), sizeof(*head));
	printf("%d %d\n", (long)&((struct my_node *)0)->l, (long)&((struct my_node *)0)->value);
	printf("%d %d\n", sizeof(struct hlist_node), sizeof(pid_type_of_mine));
	this->p = (struct my_node *)alloca(sizeof(struct my_node));
	this->p->next = this->p;
	this->p->value = 5;
	printf("%d\n", this->p->next->next->value);
	exit(0);
}
