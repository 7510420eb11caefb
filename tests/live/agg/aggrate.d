/*
 * printa prints what there is when its record is read, however seldom aggregations are read otherwise.
 * @args -x aggrate=1h
 * @ref d-builtins 7.6 aggrate
 * @ref output 8 printa-current
 * @ref options 3 aggrate; options 5.8 snapshot-before-printing
 */
#pragma D option quiet

BEGIN
{
	@ = count();
	printa("%@d\n", @);
	printa("%@d\n", @);
	exit(0);
}
