/*
 * A built-in variable is incremented.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_WRITE; d-language 9.5 read-only; d-language 9.1 increment; d-builtins 1 read-only */
BEGIN
{
	timestamp++;
}
