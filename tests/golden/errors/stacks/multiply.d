/*
 * No arithmetic with stacks: multiplying.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_ARITH */
BEGIN
{
	this->s = stack();
	trace(this->s * 2);
}
