/* A name that is nothing known. */
BEGIN
{
	trace(nosuch);
}
