/*
 * BEGIN, exit() with a status, END.
 * @status 3
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
