/*
 * speculate() of a number that is no active speculation ends the clause silently; commit() and
 * discard() of 0 or an unused number do nothing, of one beyond nspec or negative they fault.
 * @ref d-language 17.2 speculate-bad-id commit-unused-id commit-bad-id discard-bad-id
 * @ref d-language 22.1 illop
 * @args -x nspec=2
 * @stderr
 */
#pragma D option quiet

int n;

BEGIN { n = 1; speculate(0); printf("never"); n = 100; }
BEGIN { n++; speculate(1); printf("never"); n = 100; }
BEGIN { n++; speculate(3); printf("never"); n = 100; }
BEGIN { n++; speculate(-1); printf("never"); n = 100; }
BEGIN { n++; speculate(0x100000001); printf("never"); n = 100; }
BEGIN { n++; speculate(0); n = 100; }
BEGIN { printf("%d\n", n); }
BEGIN { commit(0); n = 10; }
BEGIN { commit(1); n++; }
BEGIN { commit(2); n++; }
BEGIN { discard(0); n++; }
BEGIN { discard(1); discard(2); n++; }
BEGIN { printf("%d\n", n); }
BEGIN { commit(3); n = 100; }
BEGIN { commit(-1); n = 100; }
BEGIN { discard(3); n = 100; }
BEGIN { discard(-1); n = 100; }
BEGIN { discard(0x7fffffff); n = 100; }
BEGIN { printf("%d\n", n); exit(0); }
ERROR { printf("[%d %d %d]", arg2, arg4, arg5); }
