/*
 * An aggregation as a condition.
 * @args -x errtags
 * @ref d-errors 2.2 D_PRED_SCALAR */
BEGIN
{
	@a = count(); if (@a) trace(1);
}
