/*
 * An address that the program computed goes through probe_read_kernel(), so that a bad one is a fault.
 * @only reserved ok bad
 */
long address;

BEGIN
{
	trace(*(int *)address);
}
