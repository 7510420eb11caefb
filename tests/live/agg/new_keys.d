/*
 * Keys that are made after an aggregation was read are in what is read later.  normalize() has it read.
 */
#pragma D option quiet
#pragma D option switchrate=10ms

tick-100ms
/n < 5/
{
	@[n++] = count();
	normalize(@, 1);
}

tick-100ms
/n == 5/
{
	exit(0);
}
