/*
 * An aggregation as a predicate.
 * @args -x errtags
 * @ref d-errors 2.2 D_PRED_SCALAR */
BEGIN
{
	@a = count();
}

BEGIN
/@a/
{
	trace(1);
}
