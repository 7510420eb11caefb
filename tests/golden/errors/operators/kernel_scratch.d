/*
 * The same the other way around, and in another clause.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT; d-language 11.3 taint */
BEGIN
{
	p = (void *)curthread;
}

END
{
	p = alloca(8);
}
