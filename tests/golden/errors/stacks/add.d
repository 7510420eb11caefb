/*
 * No arithmetic with stacks: adding.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_INCOMPAT */
BEGIN
{
	this->s = stack();
	trace(this->s + 1);
}
