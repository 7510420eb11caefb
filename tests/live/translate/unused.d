/*
 * The input of a translation that nobody uses is evaluated like any other expression.
 * @ref d-language 16.2 object-variable
 */
#pragma D option quiet
struct pair { int a; int8_t b; };
struct two { int a; int b; };
char zero[4];
int n;
translator struct pair < int in > { a = 1; b = in; };

BEGIN { xlate <struct pair>(n++); printf("%d\n", n); }
BEGIN { xlate <struct pair>(1 / zero[1]); printf("not reached\n"); }
BEGIN { self->p = xlate <struct pair>(1 / zero[1]); printf("not reached\n"); }
BEGIN { self->q = xlate <struct pair>(1 / zero[1]); printf("not reached: %d\n", self->q.a); }

/* a union and print() have the whole of it */
union either { short m; long long n; };
translator union either < short in > { m = 1; };
this union either t;
BEGIN { this->t = xlate <union either>(1 / zero[1]); printf("not reached\n"); }
BEGIN { print(xlate <struct pair>(1 / zero[1])); printf("not reached\n"); }
translator struct two < short in > { a = 1; b = 2; };
BEGIN { print(xlate <struct two>(1 / zero[1])); printf("not reached\n"); }
BEGIN { print(xlate <struct two>((short)n++)); printf("%d\n", n); }

BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4 == DTRACEFLT_DIVZERO); }
