/* A symbol action has no value. */
BEGIN
{
	x = usym(1);
}
