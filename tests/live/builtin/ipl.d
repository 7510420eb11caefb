/*
 * ipl is 0; vtimestamp is the time on a CPU.
 * @ref d-builtins 1 ipl vtimestamp
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", ipl, sizeof(ipl));
	printf("%d %d\n", vtimestamp > 0, vtimestamp < timestamp);
	exit(0);
}
