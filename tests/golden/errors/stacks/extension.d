/*
 * In D without extensions stack() is an action.
 * @args -x errtags -x noextensions
 * @ref d-language 15 stack-values; d-errors 2.4 D_OP_INCOMPAT */
BEGIN
{
	this->s = stack();
}
