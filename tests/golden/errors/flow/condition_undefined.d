/*
 * A condition reads what is not yet there: what a loop does comes after it.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF
 */
BEGIN { while (n < 3) n++; }
