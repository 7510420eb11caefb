#!/usr/sbin/dtrace -s
/*
 * Latency in units: a start time in self->, the result in a distribution with its title, slow ones
 * listed; here the "times" are the arguments, so that they are known.
 * @trigger values ints 900 1500 1999 2000 45000 1000000 12 0
 * @ref output 9.3 abs-less-than range
 */

#pragma D option quiet
#pragma D option strsize=64

inline uint64_t SLOW = 2 * 1000;	/* in us */
inline string UNIT = "us";

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
	slow = 0;
}

syscall::getppid:entry
/pid == $target/
{
	self->ns = arg0 * 1000;
	self->in = 1;
}

syscall::getppid:return
/self->in/
{
	this->us = self->ns / 1000;
	this->ms = this->us / 1000;
	@hist[strjoin("latency, ", UNIT)] = quantize(this->us);
	@log = llquantize(this->us, 10, 1, 5, 5);
	@lin["ms"] = lquantize(this->ms, 0, 5, 1);
	@fast = min(this->us);
	@slowest = max(this->us);
	@bucket[this->us < 1000 ? "< 1 ms" : this->us < 10000 ? "1-10 ms" : "> 10 ms"] = count();
}

syscall::getppid:return
/self->in && self->ns / 1000 >= SLOW/
{
	slow++;
	printf("slow: %d.%03d ms\n", self->ns / 1000000, (self->ns / 1000) % 1000);
}

syscall::getppid:return
/self->in/
{
	self->ns = 0;
	self->in = 0;
}

dtrace:::END
{
	printa("\n%s%@d\n", @hist);
	printa(@lin);
	printa("%@d\n", @log);
	printa("fastest %@d us, ", @fast);
	printa("slowest %@d us\n", @slowest);
	printa("%-8s %@3d\n", @bucket);
	printf("%d slow\n", slow);
}
