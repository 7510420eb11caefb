/*
 * nspec is 1.
 * @ref d-language 17.2 speculation-ids none-free
 * @ref output 13 spec-unavailable
 * @stderr
 */
#pragma D option quiet
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); exit(0); }
