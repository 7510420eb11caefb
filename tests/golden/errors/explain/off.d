/*
 * The program's own word counts more than the command line's.
 * @args -x explain
 * @ref d-errors 1.1
 */
#pragma D option explain=no
BEGIN
{
	trace(1 + );
}
