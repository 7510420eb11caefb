/*
 * With bufpolicy=ring records go to memory of the CPU's own that is written over, not to BPF's ring buffer.
 * @args -x bufpolicy=ring
 * @only maps body
 */
BEGIN
{
	trace(pid);
}
