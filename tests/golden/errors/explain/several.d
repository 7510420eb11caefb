/*
 * All errors of the parser, each with its place.
 * @args -x explain
 * @ref d-errors 1.1
 */
#pragma D optoin quiet
#pragma D option quite
#pragma D option bufsize=much
BEGIN
{
	trace(1 + );
}

END
{
	trace(2
}
