/*
 * print() shows types of C.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	s = stack();
	print(s);
}
