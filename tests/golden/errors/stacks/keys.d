/*
 * Kernel and user stacks are not keys of one aggregation.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	this->s = ustack();
	@[stack()] = count();
	@[this->s] = count();
}
