/*
 * Off a terminal and without the option there is one line, however many errors there are.
 * @ref d-errors 1.1
 */
#pragma D option quite
BEGIN
{
	trace(1 + );
}
