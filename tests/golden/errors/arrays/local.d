/*
 * A clause-local associative array.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_LOCAL; d-language 8.2 this-array */
BEGIN
{
	this->a[1] = 2;
}
