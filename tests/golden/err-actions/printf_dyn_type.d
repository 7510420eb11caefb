/*
 * D_PRINTF_DYN_TYPE: the width is no integer.
 * @args -x errtags
 */
BEGIN
{
	printf("%*d", "a", 1);
}
