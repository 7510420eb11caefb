/*
 * BEGIN, exit() with a status, END.
 * @status 3
 * @ref d-builtins 5.0 heading columns
 * @ref d-language 5.2 exit-status
 */
BEGIN
{
	trace("hello");
	exit(3);
}

END
{
	trace(1);
}
