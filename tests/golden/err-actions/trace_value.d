/* An action has no value. */
BEGIN
{
	x = trace(1);
}
