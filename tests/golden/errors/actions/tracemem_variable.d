/*
 * A size that isn't constant.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACEMEM_SIZE; d-builtins 4 tracemem-errors; output 4 constant-size */
BEGIN
{
	tracemem(0, pid);
}
