/*
 * An id is no provider.
 * @args -x errtags -P 1
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 bad-id */
BEGIN { trace(1); }
