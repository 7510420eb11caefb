/*
 * The record of tracesys() is made in the scratch slot; the bytes of it that are used go to the buffer.
 * @only body room reserved output
 */
BEGIN
{
	printf("%d ", pid);
	tracesys();
}
