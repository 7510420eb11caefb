/*
 * bcopy() writes to scratch memory only.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 3.1 bcopy-destination */
BEGIN
{
	bcopy("a", (void *)curthread, 1);
}
