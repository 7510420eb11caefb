/*
 * A declaration with a value.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 3 no-initialisers */
int x = 1;

BEGIN
{
	trace(x);
}
