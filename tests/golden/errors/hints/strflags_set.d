/*
 * The set of strflags() is one of abi/flags.def; the hint names the nearest one, and all of them.
 * @args -x explain
 */
BEGIN
{
	trace(strflags(1, "opn"));
}
