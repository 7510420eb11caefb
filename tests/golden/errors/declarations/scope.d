/*
 * A backquote in the declared name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_SCOPE; d-language 7.1 scoped-name */
int a`b;

BEGIN { trace(1); }
