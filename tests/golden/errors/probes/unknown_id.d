/*
 * An id that no probe has.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 bad-id */
4294967295
{
}
