/*
 * Stacks are not added up.
 * @args -x errtags
 * @ref d-language 15 stack-values; d-errors 2.5 D_AGG_SCALAR */
BEGIN
{
	this->s = stack();
	@ = sum(this->s);
}
