/*
 * D_PRINTF_DYN_TYPE: the width is no integer.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_DYN_TYPE */
BEGIN
{
	printf("%*d", "a", 1);
}
