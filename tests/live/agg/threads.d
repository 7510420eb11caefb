/*
 * Counted exactly from eight threads on all CPUs, with and without keys.
 * @trigger values spread 8 5000
 * @args -q
 * @ref d-language 15 never-lost
 * @ref d-language 8.1 aggregation-merged
 */
syscall::getppid:entry
/pid == $target/
{
	@count = count();
	@sum = sum(arg1);
	@min = min(arg1);
	@max = max(arg1);
	@avg = avg(arg1);
	@by["thread", arg0] = count();
	@bysum[arg0] = sum(arg1);
	@dev[arg0 & 1] = stddev(arg1);
	@q[arg0 % 2 ? "odd" : "even"] = quantize(arg1);
	@l = lquantize(arg1, 0, 5000, 1000);
	@all["total"] = count();
}

syscall::getppid:return
/pid == $target/
{
	@all["total"] = count();
}

END
{
	printa("count %@d\n", @count);
	printa("sum %@d\n", @sum);
	printa("min %@d\n", @min);
	printa("max %@d\n", @max);
	printa("avg %@d\n", @avg);
}
