/*
 * An integer for a string.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 2 argument-type; d-errors 1.1 several-lines */
BEGIN
{
	trace(strlen(3));
}
