/*
 * A speculative record goes to the same ring buffer as others, with the speculation's word at its head; it is 0 in a
 * record that is not speculative.
 * @only maps reserved active recorded
 */
int spec;

BEGIN
{
	speculate(spec);
	trace(spec);
}
