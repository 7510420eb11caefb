/*
 * Option aggpercpu: each CPU's value below the whole one.
 * @args -x cpu=0 -x aggpercpu
 * @ref d-builtins 7.4 aggpercpu
 * @ref output 8.1 aggpercpu
 * @ref options 4 aggpercpu
 */
#pragma D option quiet

BEGIN
{
	@["key"] = count();
	@["key"] = count();
	exit(0);
}
