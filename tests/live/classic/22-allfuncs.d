#!/usr/sbin/dtrace -s
/*
 * Each aggregating function over the same eight numbers, without and with keys, as dtrace prints
 * what nobody printed.
 * @trigger values ints 1 2 4 8 16 -8 100 0
 * @ref d-builtins 7.1 count sum min max avg stddev
 */

#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	this->v = (int64_t)arg0;
	@calls = count();
	@total = sum(this->v);
	@mean = avg(this->v);
	@least = min(this->v);
	@most = max(this->v);
	@spread = stddev(this->v);
	@sizes = quantize(this->v);
	@linear = lquantize(this->v, 0, 20, 5);
	@loglinear = llquantize(this->v, 10, 0, 2, 10);

	@sum_by[arg1 & 1 ? "odd" : "even"] = sum(this->v);
	@avg_by[arg1 & 1 ? "odd" : "even", arg1 / 4] = avg(this->v);
	@min_by[execname] = min(this->v);
	@max_by[probefunc, probename] = max(this->v);
	@q_by[this->v < 0 ? "negative" : "other"] = quantize(this->v, arg1 + 1);
}
