/* D_PRINTF_DYN_TYPE: the width is no integer. */
BEGIN
{
	printf("%*d", "a", 1);
}
