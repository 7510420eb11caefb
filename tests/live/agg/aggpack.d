/*
 * Option aggpack: a line for each key of quantize() and lquantize(), the same buckets for all of them.
 * @args -x aggpack -x encoding=ascii
 * @ref output 9.4
 * @ref options 3 aggpack
 */
#pragma D option quiet

BEGIN
{
	@q["bash"] = quantize(8);
	@q["bash"] = quantize(9, 3);
	@q["sshd"] = quantize(1000);
	@q["sshd"] = quantize(40000, 6);
	@zero[1] = quantize(0);
	@zero[2] = quantize(3, 1);
	@zero[2] = quantize(1, 20);
	@negative = quantize(-5);
	@mixed["signs"] = quantize(-5, 3);
	@mixed["signs"] = quantize(5, -3);
	@l["bash", 1] = lquantize(1, 0, 10);
	@l["bash", 1] = lquantize(2, 0, 10, 1, 3);
	@l["sshd", 22] = lquantize(100, 0, 10, 1, 5);
	@l["sshd", 22] = lquantize(-1, 0, 10, 1, 1);
	@long = lquantize(500000, -1000000, 1000000, 50000);
	@normal = quantize(1, 1000);
	@cleared["x"] = quantize(1);
	@ll = llquantize(15, 10, 0, 1, 10);
	@number["ordinary"] = count();
	normalize(@normal, 100);
	clear(@cleared);
	printf("printa:");
	printa(@q);
	printa("%s%@d\n", @q);
	printa(@q, @mixed);
	exit(0);
}
