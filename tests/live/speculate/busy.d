/*
 * A number is free again as soon as it was committed or discarded.
 * @ref d-language 17.2 none-free recycled
 * @ref output 13 spec-unavailable
 * @ref d-errors 5 speculation-unavailable
 * @args -x droptags -x nspec=2
 * @stderr
 */
#pragma D option quiet

BEGIN { printf("%d %d", speculation(), speculation()); }
BEGIN { printf(" %d", speculation()); }
BEGIN { commit(2); }
BEGIN { printf(" %d", speculation()); }
BEGIN { discard(1); }
BEGIN { printf(" %d %d\n", speculation(), speculation()); exit(0); }
