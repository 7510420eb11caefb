/*
 * A run-time index outside an array: BADINDEX with the index, for reads and writes, at each level, in D's arrays and the
 * kernel's; the clause ends before the write.  Through a pointer there are no bounds but those of the memory.
 * @stderr
 * @ref d-language 11.2 run-time-index negative-run-time-index cast-array one-element
 * @ref d-language 22.1 badindex
 * @ref d-language 22.2 arg4-code arg5-value
 * @ref d-language 22.3 index
 * @ref d-errors 4 shape
 */
#pragma D option quiet

int a[5];
int m[3][4];
self char s[4];
this long t[2];
struct { int v[3]; int after; } g;
int *p;

BEGIN { i = 5; a[i] = 1; }
BEGIN { i = 4; a[i] = 44; trace(a[i]); printf(" in\n"); }
BEGIN { big = 1000000000000; trace(a[big]); }
BEGIN { i = -1; trace(a[i]); }
BEGIN { i = 2; j = 4; trace(m[i][j]); }
BEGIN { i = 3; j = 0; m[i][j]++; }
BEGIN { i = 4; self->s[i] = 1; }
BEGIN { i = 2; trace(this->t[i]); }
BEGIN { i = 3; g.v[i] = 9; }
BEGIN { i = 16; trace(curthread->comm[i]); }
BEGIN { i = 6; p = (int *)a; trace(((int *)a)[4]); trace(p[i - 2]); printf(" %d\n", g.after); }
BEGIN { i = 1; trace(*((int *)&a[3] + i)); printf("\n"); exit(0); }

ERROR { printf("code %d value %d\n", arg4, arg5); }
