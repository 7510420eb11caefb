/*
 * A store through a pointer that was computed or loaded is checked when it runs: it works in scratch memory, and is a fault
 * anywhere else.
 * @ref d-language 11.3 judged-when-run writes
 */
#pragma D option quiet

struct node {
	struct node *next;
	int value;
	int bits : 4;
	string<9> name;
	char chars[8];
} held;
int *declared;
void set(int *p, int v) { *p = v; }
int *aligned(uintptr_t p) { return (int *)((p + 7) & ~7); }

BEGIN
{
	p = alloca(32);
	b = (int *)(((uintptr_t)p + 7) & ~7);
	*b = 5;
	b[1] = 6;
	*b += 2;
	b[1]++;
	printf("%d %d %d\n", *b, b[1], *(int *)(((uintptr_t)p + 7) & ~7));
	p = (void *)(((uintptr_t)p + 15) & ~7);
	((char *)p)[1] = 'x';
	bcopy("ab", (char *)(uintptr_t)p, 1);
	printf("%s %d\n", stringof((char *)p), (char *)p - (char *)b);
	*aligned((uintptr_t)p + 1) = 9;
	set(b, *aligned((uintptr_t)p + 1) + 1);
	set((int *)alloca(8), 1);
	printf("%d\n", *b);
}

/* Pointers in structs that the program itself fills. */
BEGIN
{
	this->n = (struct node *)alloca(sizeof(struct node));
	this->n->next = (struct node *)alloca(sizeof(struct node));
	this->n->next->value = 7;
	this->n->next->bits = 3;
	this->n->next->bits += 2;
	this->n->next->name = "name";
	this->n->next->name[0] = 'N';
	this->n->next->chars[2] = 'c';
	held = *this->n;
	held.next->value++;
	*this->n = *held.next;
	printf("%d %d %s %c\n", this->n->value, this->n->bits, this->n->name, this->n->chars[2]);
}

/* What is assigned on one way only. */
BEGIN
{
	c = (int *)alloca(8);
	*(pid ? c : (int *)((uintptr_t)c + 64)) = 4;
	printf("%d\n", *c);
	d = (char *)alloca(8);
	d = (char *)((uintptr_t)d - (uintptr_t)d + (uintptr_t)&curthread->comm[0]);
	printf("%d\n", *d == curthread->comm[0]);
}

BEGIN { x = (uintptr_t)&curthread->pid; *(int *)x = 3; }
BEGIN { x = 0; *(int *)x = 3; }
BEGIN { x = 16; ((struct node *)x)->value++; }
BEGIN { x = (uintptr_t)&curthread->pid; bcopy("abc", (char *)x, 3); }
BEGIN { q = alloca(8); *(char *)((uintptr_t)q + 8) = 3; }
BEGIN { q = alloca(8); *(char *)((uintptr_t)q - 1) = 3; }
BEGIN { q = alloca(8); *(long *)((uintptr_t)q + 1) = 3; }
BEGIN { *(char *)(uintptr_t)q = 3; }
BEGIN { set(&curthread->pid, 1); }
BEGIN { *declared = 1; }
BEGIN { held.next = NULL; held.next->value = 1; }
BEGIN { held.next = NULL; held.next->name[2] = 1; }
BEGIN { held.next = NULL; *held.next = held; }
BEGIN { exit(0); }
ERROR { printf("clause %d: %d\n", arg2, arg4); }
