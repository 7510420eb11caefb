/*
 * quantize: powers of two on both sides of 0; increments of any sign; no data.
 * @trigger values ints -9 -8 -4 -3 -1 0 1 2 3 4 7 8 1023 1024
 * @args -q
 * @ref d-builtins 7.2 quantize
 * @ref output 9.1 buckets negative no-data
 * @ref d-builtins 7.1 increment
 * @ref d-builtins 7.3 header range nonnegative nonpositive mixed no-data
 */
syscall::getppid:entry
/pid == $target/
{
	@["values"] = quantize((int64_t)arg0);
	@["squares"] = quantize((int64_t)arg0 * (int64_t)arg0);
	@inc["by 10"] = quantize(arg1, 10);
	@inc["negative"] = quantize(arg1, -1);
	@inc["mixed"] = quantize(arg1, arg1 < 4 ? -2 : 3);
	@inc["zero"] = quantize(arg1, 0);
	@plain = quantize(arg1);
}
