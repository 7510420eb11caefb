/*
 * A stack is a key of aggregations only.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 8.3 stack-keys */
BEGIN
{
	a[stack()] = 1;
}
