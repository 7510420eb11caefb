/*
 * A stack that a variable holds is no key of an associative array either.
 * @args -x errtags
 * @ref d-errors 2.3 D_KEY_TYPE; d-language 8.3 stack-keys */
BEGIN
{
	this->s = ustack();
	a[this->s] = 1;
}
