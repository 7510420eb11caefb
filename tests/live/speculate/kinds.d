/*
 * Every action that records can be speculated: also those that the consumer carries out, which
 * happen when the speculation is committed. A fault drops its record alone.
 * @ref d-language 17.1 after-speculate assignments-always
 * @ref d-language 17.2 commit
 * @ref d-language 5.3 consumer-actions-in-order
 * @ref d-language 5.1 fault-aborts-clause
 * @args -x nspec=3
 * @stderr
 */
#pragma D option quiet

int zero;
struct point { int x; int y; };
struct point p;

BEGIN { a = speculation(); b = speculation(); p.x = 1; @seen = count(); @n[1] = sum(5); @n[2] = sum(6); }
BEGIN { speculate(a); trace(1); trace("s"); printf(" %d %s\n", 2, probename); }
BEGIN { speculate(a); print(p); stack(1); }
BEGIN { speculate(a); printa("%@d\n", @seen); clear(@n); }
BEGIN { speculate(b); clear(@seen); trunc(@n); }
BEGIN { speculate(a); this->x = 3; self->y = this->x + 1; m[1] = strlen("abc"); printf("%d %d %d\n", this->x, self->y, m[1]); }
BEGIN { speculate(a); printf("never %d\n", 1 / zero); }
BEGIN { @seen = count(); }
BEGIN { discard(b); }
BEGIN { printf("first\n"); }
BEGIN { commit(a); }
BEGIN { printa("%d %@d\n", @n); exit(0); }
