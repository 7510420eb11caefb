/*
 * More than four parts.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 4 overspecified */
a:b:c:d:e
{
}
