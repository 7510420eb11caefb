/*
 * An array makes no variable, unless it is one of char, which makes a string.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARRFUN; d-language 8.2 array-value */
unsigned char u[4];

BEGIN
{
	this->c = u;
}
