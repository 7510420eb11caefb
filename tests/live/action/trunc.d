/*
 * trunc: all keys, the n largest, the |n| smallest; ties by key; sort options do not matter.
 * @ref d-builtins 7.5 trunc-all trunc-largest trunc-smallest
 * @ref output 8.3 trunc-all trunc-largest trunc-smallest trunc-ties; output 8.4 trunc-ignores
 */
#pragma D option quiet
#pragma D option aggsortrev

BEGIN
{
	@all["x"] = count();
	@zero["x"] = count();
	@top["a"] = sum(1);
	@top["b"] = sum(20);
	@top["c"] = sum(-3);
	@top["d"] = sum(20);
	@low["a"] = sum(1);
	@low["b"] = sum(20);
	@low["c"] = sum(-3);
	@low["d"] = sum(20);
	@more["a"] = count();
	@dist["s"] = quantize(1);
	@dist["m"] = quantize(100);
	@dist["l"] = quantize(1000);
	@plain = count();
	this->n = -2;
	trunc(@all);
	trunc(@zero, 0);
	trunc(@top, 3);
	trunc(@low, this->n);
	trunc(@more, 5);
	trunc(@dist, 1);
	trunc(@plain);
	exit(0);
}
