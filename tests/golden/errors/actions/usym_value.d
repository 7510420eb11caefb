/*
 * A symbol action has no value.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-builtins 2 action-as-value */
BEGIN
{
	x = usym(1);
}
