/*
 * More bytes than a clause has scratch memory for.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_SIZE; d-builtins 3.1 copyin-constant; d-language 11.3 constant-too-large */
BEGIN
{
	trace(copyin(1, 1000000));
}
