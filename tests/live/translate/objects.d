/*
 * Variables hold translated objects: of all three scopes, in elements, declared or made by the assignment.
 * @ref d-language 16.2 object-variable object-null object-copy object-function
 */
#pragma D option quiet

struct part { int tens; string label; };
struct out {
	int value;
	string text;
	char name[8];
	int bits : 3;
	struct part part;
	struct part *link;
	int never;
};

translator struct part < int i > { tens = i * 10; label = "part"; };
translator struct out < int i > {
	value = i;
	text = strjoin("n", lltostr(i));
	name = "eight characters";
	bits = 5;
	part = xlate <struct part> (i);
	link = xlate <struct part *> (i + 1);
};
translator struct out < struct task_struct *t > {
	value = t->tgid;
	text = stringof(t->comm);
	name = t->comm;
	bits = 1;
	part = xlate <struct part> (t->tgid);
	link = NULL;
};

struct out *early, *one, *two, *element[int, string];
self struct out *mine;
self struct out whole;

struct out *choose(int k)
{
	return k ? xlate <struct out *> (k) : NULL;
}

int value(struct out *p)
{
	return p ? p->value : -1;
}

/* what is assigned later is an object here as well */
BEGIN { one = two; printf("%d\n", early == NULL && one == NULL); }
BEGIN /early != NULL/ { printf("never\n"); }
BEGIN { early = xlate <struct out *> (0); }
BEGIN /early != NULL/ { printf("%d %s\n", early->value, early->text); }

BEGIN
{
	two = xlate <struct out *> (4);
	one = two;
	printf("%d %s %d %s %d\n", one->value, one->name, one->bits, one->part.label, one->link->tens);
	two = xlate <struct out *> (curthread);
	printf("%d %d\n", one->value, two->value == pid);
	one = two;
	printf("%d %s %d\n", one->value == pid, one->name, one->link == NULL);
}

BEGIN
{
	this->made = xlate <struct out *> (9);
	this->part = this->made->part;
	this->link = this->made->link;
	printf("%d %d %s %d\n", (*this->made).value, this->part.tens, this->part.label, this->link->tens);
	whole = xlate <struct out> (7);
	printf("%d %s %d %d %d\n", whole.value, whole.part.label, whole.bits, whole.link->tens, whole.never);
	copy = whole;
	star = *this->made;
	printf("%d %s %d %s\n", copy.value, copy.text, star.value, star.text);
}

BEGIN { self->mine = xlate <struct out *> (5); self->whole = xlate <struct out> (6); self->held[3] = self->mine; }
BEGIN /self->mine && self->mine->value == 5 && self->whole.value == 6/
{
	printf("%s %s %s\n", self->mine->text, self->whole.text, self->held[3]->text);
	printf("%d %d %s\n", strlen(self->mine->text), self->mine->text == "n5", strjoin(self->mine->name, "!"));
	self->mine = NULL;
	self->held[3] = NULL;
}
BEGIN { printf("%d %d\n", !self->mine, self->held[3] == 0); }

BEGIN
{
	element[1, "a"] = xlate <struct out *> (11);
	element[2, "b"] = element[1, "a"];
	element[1, "a"] = element[3, "c"];
	printf("%d %d %s\n", element[1, "a"] == NULL, element[2, "b"]->value, element[2, "b"]->text);
}

BEGIN
{
	printf("%d %d %d %d\n", choose(3)->value, choose(0) == NULL, value(choose(5)), value(NULL));
	printf("%d %d\n", value(xlate <struct out *> (8)), (last = xlate <struct out *> (12))->value);
	printf("%d %d\n", (copy.value ? two : last)->value == pid, (copy.value ? last : NULL)->value);
	printf("%d %d\n", two == one, last == two);
	printf("%p %x %x\n", last, (uintptr_t)last, (uintptr_t)two == (uintptr_t)curthread);
}

BEGIN { for (this->i = 0; this->i < 3; this->i++) { this->each = xlate <struct out *> (this->i); printf("%s ", this->each->text); } }

BEGIN { whole = xlate <struct out> (1); changed = xlate <struct out> (2); changed.value++; printf("\n%d %s\n", changed.value, changed.text); }

BEGIN { self->late = NULL; }
BEGIN /self->late == 0/ { printf("NULL first\n"); self->late = xlate <struct out *> (0); }
BEGIN /self->late != 0/ { printf("%s %d\n", self->late->text, (taken = xlate <struct out> (3)).value); exit(0); }
