/*
 * Option aggpercpu: each CPU's value below the whole one.
 * @args -x cpu=0 -x aggpercpu
 */
#pragma D option quiet

BEGIN
{
	@["key"] = count();
	@["key"] = count();
	exit(0);
}
