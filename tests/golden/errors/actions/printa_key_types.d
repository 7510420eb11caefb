/*
 * Aggregations with different types of keys.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGPROTO; d-builtins 7.4 keys-differ; output 8.1 joined-key-types */
BEGIN
{
	@a[1] = count();
	@b["x"] = count();
	printa(@a, @b);
}
