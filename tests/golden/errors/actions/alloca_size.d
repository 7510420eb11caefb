/*
 * More scratch memory than there is.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_SIZE; d-builtins 3.1 alloca-constant; d-language 11.3 constant-too-large */
BEGIN
{
	p = alloca(1000000);
}
