/*
 * -P takes a provider alone.
 * @args -x errtags -P foo:bar
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 overspecified */
BEGIN { trace(1); }
