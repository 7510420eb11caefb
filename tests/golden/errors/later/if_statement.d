/*
 * if.
 * @args -x errtags
 */
BEGIN
{
	if (pid) {
		trace(1);
	}
}
