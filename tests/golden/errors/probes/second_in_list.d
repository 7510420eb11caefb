/*
 * The second of a list of descriptions matches nothing.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_ZERO; d-language 4 no-match; d-language 3 description-list */
BEGIN,
nosuch:::
{
}
