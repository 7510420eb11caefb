/*
 * A pointer that may be of either kind is assigned.
 * @args -x errtags
 * @ref d-errors 2.10 D_ALLOCA_INCOMPAT; d-language 9.2 scratch-mix */
BEGIN
{
	p = pid ? alloca(8) : (void *)curthread;
}
