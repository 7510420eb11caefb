/*
 * A conversion that ends too early.
 * @args -x errtags
 */
BEGIN
{
	printf("%", 1);
}
