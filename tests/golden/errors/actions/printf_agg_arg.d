/*
 * An aggregation is no argument of printf.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_DYN; d-builtins 8.2 void-and-dynamic */
BEGIN
{
	@a = count(); printf("%d", @a);
}
