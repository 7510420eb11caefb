/*
 * Kernel and user stacks are not compared.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_INCOMPAT */
BEGIN
{
	trace(stack() == ustack());
}
