/*
 * A D function is put in place of its call: parameters and result are clause-local variables, and nothing is called.
 * @only programs body return
 */
int
twice(int n)
{
	return n * 2;
}

int x;

BEGIN
{
	x = twice(x);
}
