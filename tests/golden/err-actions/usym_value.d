/*
 * A symbol action has no value.
 * @args -x errtags
 */
BEGIN
{
	x = usym(1);
}
