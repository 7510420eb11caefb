/*
 * print() in a record with columns: the value goes on where they end, the address on their line; the record's newline comes
 * after that of the value.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:BEGIN)/  0\1/; s/0xff[0-9a-f]{14} = /0xADDR = /'
 * @ref output 10 address-line final-newline indent
 */
BEGIN
{
	print(42);
}

BEGIN
{
	this->p = (int *)alloca(sizeof(int));
	*this->p = 77;
	print(this->p);
	trace("after");
}

BEGIN
{
	trace("before");
	print((char)65);
	exit(0);
}
