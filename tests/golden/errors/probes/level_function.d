/*
 * -f takes up to a function.
 * @args -x errtags -f a:b:c:d
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 overspecified */
BEGIN { trace(1); }
