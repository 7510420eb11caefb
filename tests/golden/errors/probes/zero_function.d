/*
 * A system call that no kernel has.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_ZERO; d-language 4 no-match */
syscall::no_such_call:entry
{
}
