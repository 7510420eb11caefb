/*
 * What is counted after a clear is all that is printed.
 * @trigger calls getppid 500
 * @args -q
 * @ref d-builtins 7.5 clear
 * @ref output 8.3 when-consumed clear-updates
 * @ref d-builtins 6 record-order
 * @ref d-language 5.3 consumer-actions-in-order
 */
BEGIN
{
	@n["k"] = sum(100);
	@n["other"] = sum(100);
	@min = min(1);
	clear(@n);
	clear(@min);
}

syscall::getppid:entry
/pid == $target/
{
	@n["k"] = sum(2);
	@min = min(2);
}
