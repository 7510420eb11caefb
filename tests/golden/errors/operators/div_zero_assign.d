/*
 * /= by 0.
 * @args -x errtags
 * @ref d-errors 2.4 D_DIV_ZERO; d-language 6.4 constant */
BEGIN
{
	x = 1;
	x /= 0;
}
