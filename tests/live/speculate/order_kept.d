/*
 * speculate(): what follows goes to the speculation; commit() prints it there and then, discard() drops it.
 * @args -x nspec=3
 * @ref d-language 17.2 speculation-ids none-free speculate commit discard uncommitted-at-exit commit-only-clause
 * @ref d-language 17.1 assignments-always
 * @ref d-builtins 4 speculate-commit-discard
 * @ref d-builtins 3.4 speculation
 */
#pragma D option quiet

int a, b, c, none;

BEGIN { a = speculation(); b = speculation(); c = speculation(); printf("%d %d %d\n", a, b, c); }
BEGIN { none = speculation(); printf("%d\n", none); }
BEGIN { speculate(a); printf("first of a\n"); n++; }
BEGIN { n++; speculate(b); printf("of b\n"); n += strlen("ab"); }
BEGIN { speculate(c); printf("of c\n"); }
BEGIN { printf("before\n"); }
BEGIN { speculate(a); printf("second of a\n"); }
BEGIN { commit(a); }
BEGIN { printf("between %d\n", n); }
BEGIN { discard(b); }
BEGIN { commit(b); }
BEGIN { printf("after\n"); exit(0); }
