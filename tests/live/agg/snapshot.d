/*
 * printa shows what there is when its record is read: two of one pass show the same, however much was counted between.
 * @ref output 8 printa-current same-snapshot
 */
#pragma D option quiet

BEGIN
{
	@ = count();
	printa("first %@d\n", @);
}

BEGIN
{
	@ = count();
	printa("second %@d\n", @);
	exit(0);
}
