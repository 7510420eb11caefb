/*
 * A variable that only an assignment made is no function.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_UNDEF; d-language 9.1 call */
BEGIN
{
	x = 1;
	x();
}
