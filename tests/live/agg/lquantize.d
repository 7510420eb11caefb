/*
 * lquantize: below, within and at or above the range; a step that does not divide it; increments;
 * a range on both sides of 0.
 * @trigger values ints -20 -11 -10 -6 -5 -1 0 4 5 9 10 11 20
 * @args -q
 * @ref d-builtins 7.2 lquantize lquantize-step
 * @ref output 9.2 buckets underflow overflow
 * @ref d-builtins 7.1 increment
 * @ref d-builtins 7.3 nonpositive mixed
 */
syscall::getppid:entry
/pid == $target/
{
	this->v = (int64_t)arg0;
	@two["sides"] = lquantize(this->v, -10, 10, 5);
	@one["default step"] = lquantize(this->v, 0, 5);
	@odd["step 4 of 10"] = lquantize(this->v, 0, 10, 4);
	@inc["increments"] = lquantize(this->v, -10, 10, 10, arg1);
	@inc["negative"] = lquantize(this->v, -10, 10, 10, -1);
	@over = lquantize(100, 0, 10, 5);
	@under = lquantize(-100, 0, 10, 5);
	@plain = lquantize(this->v, 0, 20, 10);
}
