/*
 * More than scratchsize.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_SIZE
 * @ref d-builtins 3.1 copyin-constant
 * @ref d-language 11.3 constant-too-large
 */
BEGIN
{
	copyin(0, 257);
}
