/*
 * Of commit() and discard() the first counts; what is speculated after it is lost; another speculation of the same firing is
 * not touched by it.
 * @ref d-language 17.2 commit-after-discard speculate commit discard
 * @args -x nspec=4
 */
#pragma D option quiet

BEGIN { a = speculation(); b = speculation(); c = speculation(); d = speculation(); }
BEGIN { speculate(a); printf("a"); }
BEGIN { speculate(b); printf("b"); }
BEGIN { speculate(c); printf("c"); }
BEGIN { speculate(d); printf("d"); }
BEGIN { discard(a); commit(a); }
BEGIN { commit(b); discard(b); }
BEGIN { commit(b); commit(b); }
BEGIN { commit(d); commit(c); }
BEGIN { n = 1; speculate(b); n = 2; printf("late"); }
BEGIN { speculate(a); n = 3; printf("late"); }
BEGIN { printf(" %d\n", n); exit(0); }
