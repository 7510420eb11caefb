/*
 * A description that matches no probe.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_ZERO; d-language 4 no-match */
nosuch:::probe
{
}
