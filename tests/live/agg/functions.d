/*
 * The scalar functions over known values, negative and extreme ones too.
 * @trigger values ints -100 -3 -1 0 1 2 3 10 20 1000 4611686018427387904 -9223372036854775808
 * @args -q
 * @ref d-builtins 7.1 count sum min max avg stddev
 */
syscall::getppid:entry
/pid == $target/
{
	this->v = (int64_t)arg0;
	@count = count();
	@sum = sum(this->v);
	@min = min(this->v);
	@max = max(this->v);
	@avg = avg(this->v);
	@stddev = stddev(this->v);
	@kcount[1] = count();
	@ksum[1] = sum(this->v);
	@kmin[1] = min(this->v);
	@kmax[1] = max(this->v);
	@kavg[1] = avg(this->v);
	@kstddev[1] = stddev(this->v);
}

END
{
	printa("count %@d", @count);
	printa(" sum %@d", @sum);
	printa(" min %@d", @min);
	printa(" max %@d", @max);
	printa(" avg %@d", @avg);
	printa(" stddev %@d\n", @stddev);
	printa("%d count %@d", @kcount);
	printa(" sum %@d", @ksum);
	printa(" min %@d", @kmin);
	printa(" max %@d", @kmax);
	printa(" avg %@d", @kavg);
	printa(" stddev %@d\n", @kstddev);
}
