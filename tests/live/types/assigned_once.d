/*
 * The value of an assignment to an element: its subscripts are evaluated once.
 */
#pragma D option quiet

struct pair { int a; int b; };
struct deep { struct pair in; int arr[4]; };
struct pair p[int], q[int, int], list[3];
struct deep d[int], whole;
struct pair one, two;
this int i;

translator struct pair < int n > { a = n; b = n + 1; };

BEGIN { one.a = 1; one.b = 2; p[1] = one; two.a = 3; p[2] = two; }

/* in a key, a member, an assignment, a comma, a choice, a printed struct */
BEGIN { this->i = 4; @["key", (p[this->i++] = p[1]).b, this->i] = count(); printf("%d %d\n", this->i, p[4].b); }
BEGIN { this->i = 6; printf("member %d", (p[this->i++] = p[2]).a); printf(" %d %d\n", this->i, p[6].a); }
BEGIN { this->i = 7; one = p[this->i++] = p[++this->i - 7]; printf("chain %d %d %d\n", one.a, this->i, p[8].a); }
BEGIN { this->i = 10; p[this->i++] = q[this->i++, this->i++] = p[1]; printf("twice %d %d %d\n", this->i, q[10, 11].b, p[12].b); }
BEGIN { this->i = 20; two = (this->i++, p[this->i++] = p[1]); printf("comma %d %d %d\n", this->i, two.b, p[21].b); }
BEGIN { this->i = 30; two = this->i == 30 ? p[this->i++] = p[2] : p[1]; printf("choice %d %d\n", this->i, two.a); }
BEGIN { this->i = 40; print(p[this->i++] = p[1]); printf("print %d %d\n", this->i, p[40].a); }

/* elements of an array, and a struct in a struct */
BEGIN { d[0] = whole; this->i = 0; d[this->i++].in = d[this->i].in = one; printf("inner %d %d\n", this->i, d[0].in.b); }
BEGIN { this->i = 0; list[this->i++] = list[this->i] = one; printf("list %d %d\n", this->i, list[1].a); }

/* an object that a translator makes */
BEGIN { o[1] = xlate <struct pair *>(7); o[2] = xlate <struct pair *>(20); }
BEGIN { this->i = 3; printf("object %d", (o[this->i++] = o[1])->b); printf(" %d %d\n", this->i, o[3]->a); }
BEGIN { this->i = 4; printf("tested %d", (o[this->i++] = o[1]) != NULL); printf(" %d %d\n", this->i, o[4]->a); }
BEGIN { this->i = 5; o[this->i++] = o[this->i++] = o[2]; printf("objects %d %d %d\n", this->i, o[5]->a, o[6]->a); }
BEGIN { this->i = 8; print(o[this->i++] = o[2]); printf("%d %d\n", this->i, o[8]->a); }
BEGIN { this->i = 1; print(o[this->i++]); printf("%d\n", this->i); }
BEGIN { this->i = 1; print(this->i++ == 1 ? o[this->i++] : o[0]); printf("%d\n", this->i); }
BEGIN { this->i = 9; printf("cleared %d", (o[this->i++] = NULL) == NULL); printf(" %d\n", this->i); }

BEGIN { exit(0); }
END { printa("%s %d %d %@d\n", @); }
