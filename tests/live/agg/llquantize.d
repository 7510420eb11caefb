/*
 * llquantize: linear steps within each magnitude, below the lowest and above the highest.
 * @trigger values ints -15 0 1 2 3 5 9 10 15 19 20 99 100 320 999 1000 5000 10000
 * @args -q
 * @ref d-builtins 7.2 llquantize llquantize-320 llquantize-ghosts llquantize-labels
 * @ref output 9.3 buckets ends
 */
syscall::getppid:entry
/pid == $target/
{
	this->v = (int64_t)arg0;
	@a["10, 0 to 2, 10 steps"] = llquantize(this->v, 10, 0, 2, 10);
	@b["10, 1 to 2, 5 steps"] = llquantize(this->v, 10, 1, 2, 5);
	@c["2, 0 to 9, 2 steps"] = llquantize(this->v, 2, 0, 9, 2);
	@d["increment"] = llquantize(this->v, 10, 0, 2, 5, 3);
	@e["10, 0 to 1, 20 steps"] = llquantize(this->v, 10, 0, 1, 20);
}

syscall::getppid:entry
/pid == $target && (int64_t)arg0 >= 0/
{
	@f["no negative, low 1"] = llquantize(arg0, 10, 1, 2, 5);
	@g = llquantize(arg0, 10, 0, 1, 10);
}
