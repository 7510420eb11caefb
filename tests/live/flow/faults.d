/*
 * A fault in a branch, a loop or a function ends the whole clause: the record it was making is
 * not printed, those of the iterations before are, effects stay, the next clause runs. arg4 and
 * arg5 as elsewhere.
 * @ref d-language 21 if-fault
 * @ref d-language 5.1 fault-aborts-clause effects-remain next-clause-runs
 * @ref d-language 22.1 divzero badindex badaddr
 * @stderr
 */
#pragma D option quiet

int zero, done, a[4];

int divide(int n) { return 10 / n; }
void show(int n) { printf("never"); n = 10 / n; done++; }

BEGIN { printf("never"); if (1) { e++; n = 1 / zero; e += 100; } e += 100; printf("never\n"); }
BEGIN { printf("if %d\n", e); }
BEGIN { if (1 / zero) printf("never"); else printf("never"); done++; }
BEGIN { if (e) n = 2; else n = 1 / zero; printf("not taken %d\n", n); }
BEGIN { for (i = 3; i >= 0; i--) { printf("%d ", 6 / i); last = i; } done++; printf("never"); }
BEGIN { printf("for %d %d\n", i, last); }
BEGIN { for (i = 0; i < 3; i++) { for (j = 2; j >= i; j--) printf("%d%d ", i, 2 / j - 2 / j + j); } done++; }
BEGIN { printf("nested %d %d\n", i, j); }
BEGIN { for (i = 1; 6 / (3 - i); i++) ; done++; }
BEGIN { printf("condition %d\n", i); }
BEGIN { i = 2; while (1) { e = 6 / i; i--; } done++; }
BEGIN { printf("while %d %d\n", i, e); }
BEGIN { for (i = 0; i < 6; i++) a[i] = i; done++; }
BEGIN { printf("index %d %d %d %d\n", i, a[1], a[2], a[3]); }
BEGIN { x[1] = 1; foreach (k in x) { e = k; n = 1 / zero; e = 0; } done++; }
BEGIN { printf("foreach %d\n", e); }
BEGIN { printf("%d %d\n", divide(5), divide(zero)); done++; }
BEGIN { show(5); printf("never"); show(zero); }
BEGIN { show(zero); done++; }
BEGIN { for (i = 0; i < 3; i++) { this->p = (int *)(int64_t)i; e = *this->p; } done++; }
BEGIN { printf("done %d\n", done); exit(0); }
ERROR { printf("[%d %d %d %d]", arg1, arg2, arg4, arg5); }
