/*
 * One byte more than scratchsize.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_SIZE; d-builtins 3.1 alloca-constant; d-language 11.3 constant-too-large */
BEGIN
{
	p = alloca(257);
}
