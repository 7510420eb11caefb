/*
 * With bufpolicy=fill each CPU accounts for the bytes of its records before one is reserved.
 * @args -x bufpolicy=fill
 * @only maps body open room full
 */
BEGIN
{
	trace(pid);
}
