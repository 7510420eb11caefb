/*
 * printa with a format: keys in order, values by %@, widths and flags of both, keys left unused.
 * @ref d-builtins 7.4 format-form value-conversions keys-skipped star-consumes-keys no-data
 * @ref output 8.2 keys-in-order keys-unused
 * @ref d-builtins 4 printa
 */
#pragma D option quiet

BEGIN
{
	@a["one", 1, 'x'] = sum(1);
	@a["two", -2, 'y'] = sum(-2);
	@c["k"] = count();
	@c["k"] = count();
	@avg[1] = avg(-17);
	@avg[1] = avg(0);
	@dev[1] = stddev(10);
	@dev[1] = stddev(20);
	@min[1] = min(-3);
	@max[1] = max(300);
	@star["v", 7, 3] = sum(42);
	@none["gone"] = count();
	@wide[0xffffffff81000000] = count();
	trunc(@none);

	printa("%s %d %c %@d\n", @a);
	printa("[%10s] [%-4d] [%c] [%@8d] [%-@8d] [%@08d]\n", @a);
	printa("%@d %@u %@x %@i\n", @a);
	printa("%@d\n", @a);
	printa("%s: %@d and again %@d, %@#x\n", @c);
	printa("%d %@d\n", @avg);
	printa("%d %@d\n", @dev);
	printa("%@d\n", @min);
	printa("%@d %@o %@X %@#o\n", @max);
	printa("[%s] [%*d] [%@d]\n", @star);
	printa("%s never\n", @none);
	printa("%#x %@d\n", @wide);
	printa("%p\n", @wide);
	printa("no key and no value\n", @a);
	printa("100%% %@5d|\n", @c);
	exit(0);
}
