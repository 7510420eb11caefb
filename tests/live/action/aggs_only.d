/*
 * No record, no columns: only aggregations, and the newline before them.
 * @trigger calls getppid 3
 * @ref d-language 5.2 final-newline final-aggregations
 * @ref output 1 no-record-no-header; output 2 aggregations
 * @ref d-language 5.4 nothing-recorded
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
