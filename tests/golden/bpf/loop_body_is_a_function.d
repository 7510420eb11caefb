/*
 * The body of a loop is a function of the round and a struct on the stack, and has no jump backwards; it returns 1 to
 * end the loop.
 * @filter '/^Disassembly/,$d'
 */
int x;

BEGIN
{
	for (this->i = 0; this->i < 5; this->i++)
		x++;
}
