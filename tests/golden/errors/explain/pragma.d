/*
 * A program may ask for it itself.
 * @ref d-errors 1.1
 */
#pragma D option explain
BEGIN
{
	trace(1 + );
}
