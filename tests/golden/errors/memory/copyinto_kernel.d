/*
 * The kernel is no destination.
 * @args -x errtags
 * @ref d-builtins 3.1 copyinto-destination
 * @ref d-errors 2.3 D_PROTO_ARG
 * @ref d-language 11.3 writes
 */
BEGIN
{
	copyinto(0, 8, curthread);
}
