/*
 * A stack goes straight to the record, in the room of its frames.
 * @only maps reserved
 * @filter 's/= 1[0-9]{3}$/= ID/'
 */
syscall::read:entry
{
	stack(4);
}
