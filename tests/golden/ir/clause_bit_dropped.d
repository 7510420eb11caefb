/*
 * A clause that is enabled on all probes of its program needs no bit; one that is enabled on some tests its bit.
 * @only body nextclause enabled
 */
syscall:::entry
{
	all++;
}

syscall::read:entry
{
	some++;
}
