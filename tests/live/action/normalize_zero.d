/*
 * A factor of 0 is an error of the consumer; the run goes on.
 * @stderr
 * @ref d-builtins 7.5 normalize-zero
 * @ref output 8.3 normalize-zero
 */
#pragma D option quiet

BEGIN
{
	@n = count();
	normalize(@n, 0);
	printa("%@d\n", @n);
	exit(0);
}
