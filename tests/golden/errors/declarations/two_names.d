/*
 * Two names where one is expected.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 7.1 unknown-type */
int a b;

BEGIN { trace(1); }
