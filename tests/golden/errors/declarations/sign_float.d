/*
 * unsigned before float.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_SIGNINT; d-language 7.1 unsigned-struct */
unsigned float x;

BEGIN { trace(1); }
