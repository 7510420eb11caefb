/*
 * An array makes no variable.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ARRFUN; d-language 8.2 array-value */
BEGIN
{
	this->c = curthread->comm;
}
