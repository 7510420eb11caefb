/* D_PRINTF_ARG_TYPE: %hd takes exactly short. */
BEGIN
{
	printf("%hd", 1);
}
