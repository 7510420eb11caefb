/*
 * Several aggregations in a clause, one in several clauses, one in probes of two kinds.
 * @trigger calls getppid 1000
 * @args -q
 * @ref d-language 15 one-function
 * @ref d-language 8.1 aggregation-merged
 */
syscall::getppid:entry
/pid == $target/
{
	@n["entry"] = count();
	@n["both"] = count();
	@s["sum"] = sum(2);
	@n["entry again"] = count();
	@min = min(3);
	@max = max(4);
	@q = quantize(5);
}

syscall::getppid:return
/pid == $target/
{
	@n["return"] = count();
	@n["both"] = count();
	@n[probename == "return" ? "by name" : "wrong"] = count();
	@s["sum"] = sum(-1);
}

BEGIN
{
	@n["both"] = count();
}

END
{
	@n["both"] = count();
}
