/*
 * A clause for two descriptions is wrong once.
 * @args -x explain
 */
BEGIN,
END
{
	trace(nosuch);
}
