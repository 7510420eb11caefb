/*
 * An array makes no variable.
 * @args -x errtags
 */
BEGIN
{
	this->c = curthread->comm;
}
