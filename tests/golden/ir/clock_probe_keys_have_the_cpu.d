/*
 * An aggregation that a clock probe updates is a plain hash with the CPU's number after the key: an element of a
 * per-CPU hash could not be allocated twice in one interrupt.
 * @only maps body
 */
profile:::tick-1s
{
	@[pid] = count();
}
