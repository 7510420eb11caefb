/*
 * The input of a translation that nobody uses is evaluated like any other expression.
 * @ref d-language 16.2 object-variable
 */
#pragma D option quiet
struct pair { int a; int8_t b; };
char zero[4];
int n;
translator struct pair < int in > { a = 1; b = in; };

BEGIN { xlate <struct pair>(n++); printf("%d\n", n); }
BEGIN { xlate <struct pair>(1 / zero[1]); printf("not reached\n"); }
BEGIN { self->p = xlate <struct pair>(1 / zero[1]); printf("not reached\n"); }
BEGIN { self->q = xlate <struct pair>(1 / zero[1]); printf("not reached: %d\n", self->q.a); }
BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4 == DTRACEFLT_DIVZERO); }
