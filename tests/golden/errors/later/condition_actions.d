/*
 * Actions as branches of a ?: that is a statement.
 * @args -x errtags
 */
BEGIN
{
	pid ? printf("a") : printf("b");
}
