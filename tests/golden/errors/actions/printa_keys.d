/*
 * Aggregations with different numbers of keys.
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTA_AGGKEY; d-builtins 7.4 keys-differ; output 8.1 joined-signatures */
BEGIN
{
	@a[1] = count();
	@b[1, 2] = count();
	printa(@a, @b);
}
