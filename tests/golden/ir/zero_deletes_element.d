/*
 * Assigning 0 deletes an element of an associative array.
 * @only maps body
 */
BEGIN
{
	a[1] = 0;
}
