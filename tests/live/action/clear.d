/*
 * clear: values are zero, keys and normalization stay; it acts when its record is read.
 * @ref d-builtins 7.5 clear clear-min-max clear-keeps-normalization
 * @ref output 8 after-clear after-clear-extremes; output 8.3 clear-keeps-keys
 * @ref d-builtins 4 clear-trunc-normalize
 * @ref d-builtins 7.3 no-data
 */
#pragma D option quiet

BEGIN
{
	@count["k"] = count();
	@sum["k"] = sum(5);
	@min["k"] = min(5);
	@max["k"] = max(5);
	@avg["k"] = avg(5);
	@dev["k"] = stddev(5);
	@q["k"] = quantize(5);
	@l["k"] = lquantize(5, 0, 10, 5);
	@ll["k"] = llquantize(5, 10, 0, 2, 10);
	@plain = sum(7);
	normalize(@count, 3);
	clear(@count);
	clear(@sum);
	clear(@min);
	clear(@max);
	clear(@avg);
	clear(@dev);
	clear(@q);
	clear(@l);
	clear(@ll);
	clear(@plain);
	exit(0);
}
