/*
 * The caret stands under tabs, letters outside ASCII and wide ones; what a terminal may not see is "?".
 * @args -x explain
 */
BEGIN
{
	trace("a	tab",	1 + );
}

END
{
	trace("héé — 漢字 😀 é", 1 + );
}

ERROR
{
	trace("[31m", "��", "‮", 1 + );
}
