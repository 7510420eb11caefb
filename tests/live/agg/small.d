/*
 * Rounding: averages truncate toward zero, stddev is that of the population.
 * @ref d-builtins 7.1 avg stddev converted sum min max
 */
#pragma D option quiet

BEGIN
{
	@avg["-17 over 2"] = avg(-17);
	@avg["-17 over 2"] = avg(0);
	@avg["17 over 2"] = avg(17);
	@avg["17 over 2"] = avg(0);
	@avg["0"] = avg(0);
	@dev["10 20"] = stddev(10);
	@dev["10 20"] = stddev(20);
	@dev["one"] = stddev(5);
	@dev["negative"] = stddev(-10);
	@dev["negative"] = stddev(-20);
	@dev["mixed"] = stddev(-1000000000);
	@dev["mixed"] = stddev(1000000000);
	@sum["zero"] = sum(0);
	@sum["char"] = sum((char)-1);
	@sum["unsigned char"] = sum((unsigned char)-1);
	@sum["unsigned"] = sum((unsigned int)-1);
	@sum["wraps"] = sum(9223372036854775807);
	@sum["wraps"] = sum(1);
	@zero = sum(0);
	@minzero = min(0);
	@max["negative"] = max(-5);
	@max["negative"] = max(-7);
	@min["positive"] = min(7);
	@min["positive"] = min(5);
	@ptr = max((void *)16);
	exit(0);
}
