/*
 * A clause-local associative array.
 * @args -x errtags
 */
BEGIN
{
	this->a[1] = 2;
}
