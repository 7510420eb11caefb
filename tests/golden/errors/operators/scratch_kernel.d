/*
 * A variable of scratch and of kernel pointers.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT; d-language 11.3 taint */
BEGIN
{
	p = alloca(8);
	p = (void *)curthread;
}
