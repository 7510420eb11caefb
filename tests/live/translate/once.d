/*
 * The input of a translator is evaluated once for an object, however many members use it, and once for a member,
 * however often its expression does; not for each member that a variable keeps.
 * @ref d-language 16.2 input-once
 */
#pragma D option quiet

struct pair { int a; int b; int c; string s; };
struct twice { int x; struct pair *p; };
struct in { int u; int v; };

int n, calls, i;
struct in *ins;

translator struct pair < int v > { a = v; b = v + 1; c = v * v + v; };
translator struct pair < string t > { a = strlen(t); b = strlen(t) + 1; s = strjoin(t, t); };
translator struct pair < struct in e > { a = e.u; b = e.v; c = e.u + e.v; };
translator struct pair < struct in *e > { a = e->u; b = e->v; c = e->u + e->v; };
translator struct twice < int v > { x = v; p = xlate <struct pair *> (v); };

int next(void) { calls++; return calls; }
inline struct pair *conv[int v] = xlate <struct pair *> (v);

/* each kind of variable, pointer and struct */
BEGIN { this->p = xlate <struct pair *> (n++); printf("%d %d %d: %d\n", this->p->a, this->p->b, this->p->c, n); }
BEGIN { self->p = xlate <struct pair *> (n++); printf("%d %d %d: %d\n", self->p->a, self->p->b, self->p->c, n); }
BEGIN { tab[1] = xlate <struct pair *> (++n); printf("%d %d %d: %d\n", tab[1]->a, tab[1]->b, tab[1]->c, n); }
BEGIN { whole = xlate <struct pair> (n += 2); printf("%d %d %d: %d\n", whole.a, whole.b, whole.c, n); }

/* one member, which uses the input twice or not at all */
BEGIN { printf("%d", xlate <struct pair> (n++).c); printf(" %d\n", n); }
BEGIN { printf("%d", xlate <struct pair *> (n--)->c); printf(" %d\n", n); }
BEGIN { printf("%d", (*xlate <struct pair *> (n--)).c); printf(" %d\n", n); }

/* a function, a subroutine that goes on, an inline, a choice, objects in objects */
BEGIN { this->q = xlate <struct pair *> (next()); printf("%d %d %d: %d\n", this->q->a, this->q->b, this->q->c, calls); }
BEGIN { this->r = xlate <struct pair *> (strtok("one,three,x", ",")); printf("%d %d", this->r->a, this->r->b);
	this->r = xlate <struct pair *> (strtok(NULL, ",")); printf(" %d %s", this->r->a, this->r->s);
	printf(" %s\n", strtok(NULL, ",")); }
BEGIN { this->t = conv[next()]; printf("%d %d: %d\n", this->t->a, this->t->b, calls); }
BEGIN { this->u = calls > 100 ? NULL : xlate <struct pair *> (calls++); printf("%d %d: %d\n", this->u->a, this->u->c, calls); }
BEGIN { this->w = xlate <struct twice *> (calls++); printf("%d %d %d: %d\n", this->w->x, this->w->p->a, this->w->p->c, calls);
	printf("%d", xlate <struct twice *> (calls++)->p->c); printf(" %d\n", calls);
	this->u = xlate <struct twice *> (calls++)->p; printf("%d %d: %d\n", this->u->a, this->u->c, calls); }

/* as a condition, a value, a whole */
BEGIN /xlate <struct pair *> (i++) != NULL/ { printf("%d\n", i); }
BEGIN { printf("%p", xlate <struct pair *> (i++)); printf(" %d\n", i); }
BEGIN { print(xlate <struct pair> (i++)); printf(" %d\n", i); }
BEGIN { xlate <struct pair *> (i++); printf("%d\n", i); }

/* structs as inputs: where they lie is found once */
BEGIN {
	ins = alloca(3 * sizeof(struct in)); ins[0].u = 1; ins[0].v = 2; ins[1].u = 3; ins[1].v = 4; ins[2].u = 5; ins[2].v = 6;
	this->i = ins;
	this->e = xlate <struct pair *> (*this->i++); printf("%d %d %d", this->e->a, this->e->b, this->e->c);
	this->e = xlate <struct pair *> (this->i++); printf(" %d %d %d", this->e->a, this->e->b, this->e->c);
	printf(" %d\n", this->i - ins);
	exit(0);
}
