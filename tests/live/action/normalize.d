/*
 * normalize and denormalize: printed values only, signed, truncating; the sort order is that of
 * the raw values.
 * @ref d-builtins 7.5 normalize normalize-replaced normalize-signed normalize-stddev
 * @ref output 8.3 normalize-scalar signed-division denormalize
 * @ref d-builtins 7.5 denormalize
 * @ref d-builtins 7.3 normalized
 */
#pragma D option quiet

BEGIN
{
	@count["a"] = count();
	@count["a"] = count();
	@count["a"] = count();
	@sum["neg"] = sum(-7);
	@sum["pos"] = sum(7);
	@sum["big"] = sum(1000000007);
	@min = min(-9);
	@max = max(9);
	@avg = avg(10);
	@avg = avg(21);
	@dev = stddev(100);
	@dev = stddev(7);
	@q = quantize(1);
	@q = quantize(1);
	@q = quantize(1);
	@l = lquantize(1, 0, 2, 1, 10);

	normalize(@count, 2);
	printa("%s %@d\n", @count);
	normalize(@sum, 2);
	printa("%s %@d\n", @sum);
	printa(@sum);
	normalize(@sum, 3);
	printa("replaced: %s %@d\n", @sum);
	denormalize(@sum);
	printa("off: %s %@d\n", @sum);
	normalize(@min, 2);
	normalize(@max, 2);
	printa("min %@d", @min);
	printa(" max %@d\n", @max);
	normalize(@avg, 3);
	printa("avg %@d\n", @avg);
	normalize(@dev, 10);
	printa("stddev %@d\n", @dev);
	denormalize(@dev);
	printa("stddev %@d\n", @dev);
	normalize(@q, 2);
	normalize(@l, 3);
	printa(@q);
	printa(@l);
	this->n = 1000;
	normalize(@sum, this->n);
	exit(0);
}
