/*
 * A negative size.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_SIZE
 * @ref d-builtins 3.1 alloca-constant
 * @ref d-language 11.3 constant-too-large
 */
BEGIN
{
	alloca(-1);
}
