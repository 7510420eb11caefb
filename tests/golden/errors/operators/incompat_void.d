/*
 * A void value is assigned.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.2 void-value */
BEGIN
{
	x = (void)1;
}
