/*
 * No record, no columns: only aggregations, and the newline before them.
 * @trigger calls getppid 3
 */
BEGIN
{
	@first["k"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@second = count();
}

END
{
	@third["end"] = sum(3);
}
