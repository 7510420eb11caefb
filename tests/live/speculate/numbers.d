/*
 * speculation() gives the smallest free number from 1 to nspec, else 0 and a drop; a number comes back when
 * the consumer has done what commit() or discard() said.
 * @ref d-language 17.2 speculation-ids none-free recycled
 * @ref d-errors 5 speculation-unavailable
 * @ref options 3 nspec; options 5.4 ids-from-1 none-free
 * @args -x nspec=3
 * @stderr
 */
#pragma D option quiet

BEGIN { printf("%d %d %d", speculation(), speculation(), speculation()); }
BEGIN { printf(" %d\n", speculation()); }
BEGIN { discard(2); }
tick-100ms /++n == 4/ { printf("%d\n", speculation()); }
tick-100ms /n == 4/ { commit(3); }
tick-100ms /n == 4/ { commit(1); }
tick-100ms /n == 8/ { printf("%d %d\n", speculation(), speculation()); exit(0); }
