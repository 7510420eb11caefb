/*
 * A variable holds kernel stacks or user stacks.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_INCOMPAT */
BEGIN
{
	self->s = stack();
	self->s = ustack();
}
