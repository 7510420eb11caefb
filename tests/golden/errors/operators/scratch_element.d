/*
 * All elements of an array are alike.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT; d-language 11.3 taint */
BEGIN
{
	a[1] = alloca(8);
	a[2] = (void *)curthread;
}
