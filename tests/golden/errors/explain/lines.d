/*
 * A message of several lines keeps them.
 * @args -x explain
 * @ref d-errors 1.1
 */
BEGIN
{
	trace(strlen(3));
}
