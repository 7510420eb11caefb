/*
 * A system call that no kernel has.
 * @args -x errtags
 */
syscall::no_such_call:entry
{
}
