/*
 * A key that was removed starts from nothing, one that stayed goes on.
 * @trigger calls getppid 100
 * @args -q
 * @ref d-builtins 7.5 trunc-survivors
 * @ref output 8.3 trunc-returns
 */
BEGIN
{
	@n["stays"] = sum(1000);
	@n["goes"] = sum(10);
	trunc(@n, 1);
}

syscall::getppid:entry
/pid == $target/
{
	@n["stays"] = sum(1);
	@n["goes"] = sum(1);
}
