/*
 * A clause whose record has no room in its speculation ends at speculate(): nothing after it has an effect, and later clauses
 * run. What comes before speculate() is done, as in DTrace.
 * @args -x specsize=40 -x nspec=2
 * @stderr
 * @ref d-language 17.2 specsize dropped-clause
 * @ref output 12 over-limit
 */
#pragma D option quiet

BEGIN { a = speculation(); n = 0; }
BEGIN { speculate(a); trace(n); trace(n); first++; self->x = 1; k["first"] = 1; }
BEGIN { before++; speculate(a); trace(n); trace(n); second++; self->x = 2; k["second"] = 1; copy = "second"; }
BEGIN { printf("%d %d %d, %d %d %d [%s]\n", first, before, second, self->x, k["first"], k["second"], copy); }

/* A record that is not written gives its room back: a fault, a branch that was not taken. */
BEGIN { b = speculation(); }
BEGIN { speculate(b); trace(n); trace(*(int *)n); }
BEGIN { speculate(b); if (n) { trace(n); trace(n); } third++; }
BEGIN { speculate(b); trace(n); trace(n); fourth++; }
BEGIN { printf("%d %d\n", third, fourth); }

/* A number that is given out again has all its room. */
BEGIN { discard(b); }
BEGIN { b = speculation(); }
BEGIN { speculate(b); printf("again %d ", n); trace(1); fifth++; }
BEGIN { discard(a); }
BEGIN { commit(b); }
BEGIN { printf("%d\n", fifth); }

/* In a loop each round's record takes room; the clause ends with the first that has none. */
BEGIN { a = speculation(); n = 0; }
BEGIN { speculate(a); for (this->i = 0; this->i < 9; this->i++) { printf("round %d\n", this->i); rounds++; } after++; }
BEGIN { commit(a); }
BEGIN { printf("%d %d\n", rounds, after); exit(0); }
ERROR { printf("fault\n"); }
