/*
 * A description that matches no probe.
 * @args -x errtags
 */
nosuch:::probe
{
}
