/*
 * ipl is 0; vtimestamp is the time on a CPU: it goes on, and is less than the time since boot.
 * @ref d-builtins 1 ipl vtimestamp
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", ipl, sizeof(ipl));
	before = vtimestamp; /* 0 in a process that no tick has seen yet */
}

BEGIN
{
	printf("%d %d\n", vtimestamp > before, vtimestamp < timestamp);
	exit(0);
}
