/*
 * A stack is no integer, but for 0.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_INCOMPAT */
BEGIN
{
	self->s = stack();
	self->s = 0;
	self->s = NULL;
	self->s = 1;
}
