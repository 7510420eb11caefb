/*
 * Distributions are sorted by the sum of labels times counts, then by what is in the bucket of 0, then by key;
 * of lquantize the buckets at the ends weigh one beyond the range, those of llquantize nothing; stddev by what it prints.
 * @ref d-builtins 7.4 sort-distributions sort-by-value
 * @ref output 8.4 quantize lquantize llquantize stddev
 */
#pragma D option quiet

BEGIN
{
	@l["over"] = lquantize(100, 0, 10, 5);
	@l["two fives"] = lquantize(5, 0, 10, 5, 2);
	@l["three fives"] = lquantize(6, 0, 10, 5, 3);
	@l["under"] = lquantize(-100, 0, 10, 5);
	@l["two zeros"] = lquantize(0, 0, 10, 5, 2);
	@l["one zero"] = lquantize(4, 0, 10, 5);
	@ll["over"] = llquantize(100000, 10, 0, 2, 10);
	@ll["one"] = llquantize(1, 10, 0, 2, 10);
	@ll["minus one"] = llquantize(-1, 10, 0, 2, 10);
	@ll["zero"] = llquantize(0, 10, 0, 2, 10);
	@q["one eight"] = quantize(8);
	@q["two fours"] = quantize(5, 2);
	@q["a zero"] = quantize(0);
	@q["none"] = quantize(0, 0);
	@q["minus"] = quantize(-1);
	@q["also eight"] = quantize(15);
	@d["10, 20"] = stddev(10);
	@d["10, 20"] = stddev(20);
	@d["1000"] = stddev(1000);
	printa("%s; ", @l);
	printf("\n");
	printa("%s; ", @ll);
	printf("\n");
	printa("%s; ", @q);
	printf("\n");
	printa("%s: %@d; ", @d);
	printf("\n");
	exit(0);
}
