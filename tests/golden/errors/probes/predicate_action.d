/*
 * A predicate that is an action.
 * @args -x errtags
 * @ref d-errors 2.2 D_PRED_SCALAR; d-language 5.6 not-scalar */
BEGIN
/trace(1)/
{
}
