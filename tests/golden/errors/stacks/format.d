/*
 * Only %k prints a stack.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.10 D_PRINTF_ARG_TYPE */
BEGIN
{
	this->s = ustack();
	printf("%k", this->s);
	printf("%d", this->s);
}
