/*
 * No arithmetic with stacks: incrementing.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_SCALAR */
BEGIN
{
	this->s = stack();
	this->s++;
}
