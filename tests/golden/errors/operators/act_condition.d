/*
 * Actions as branches of a ?: whose value is used.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_ACT; d-language 9.2 action-value */
BEGIN
{
	x = 1 ? trace(1) : trace(2);
}
