/*
 * An inline is assigned to.
 * @args -x errtags
 */
inline int three = 3;

BEGIN
{
	three = 4;
}
