/* alloca (D_ALLOCA_SIZE). */
BEGIN
{
	alloca(1000000);
}
