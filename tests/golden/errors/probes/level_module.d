/*
 * -m takes a provider and a module.
 * @args -x errtags -m a:b:c
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 overspecified */
BEGIN { trace(1); }
