/*
 * Option agghist: a bar beside each row of what has keys and one number; all else as ever.
 * Bars are of the sum of all rows, whatever normalize() makes of the numbers.
 * @args -x agghist
 * @ref output 9.4
 * @ref options 3 agghist
 */
#pragma D option quiet

BEGIN
{
	@sum["cat", 1] = sum(10);
	@sum["bash", 2] = sum(30);
	@sum["a key that is too long", 3] = sum(60);
	@count[(char)1] = count();
	@count[(short)258] = count();
	@min[(short)-1] = min(-5);
	@max["up"] = max(10);
	@max["down"] = max(-30);
	@avg[1LL] = avg(10);
	@avg[1LL] = avg(21);
	@avg[-1LL] = avg(45);
	@deviation["ordinary"] = stddev(10);
	@distribution["ordinary"] = quantize(1);
	@none = sum(7);
	@joined["cat", 1] = count();
	@cleared["was 5"] = count();
	@gone["gone"] = count();
	@per["a"] = sum(50);
	@per["b"] = sum(150);
	normalize(@per, 100);
	clear(@cleared);
	trunc(@gone);
	printf("printa:");
	printa(@sum);
	printa("%-6s%d %@d\n", @sum);
	printa(@sum, @joined);
	exit(0);
}
