/*
 * The kernel is no destination.
 * @args -x errtags
 * @ref d-builtins 3.1 bcopy-destination
 * @ref d-errors 2.3 D_PROTO_ARG
 * @ref d-language 11.3 writes
 */
BEGIN
{
	bcopy("hello", curthread, 6);
}
