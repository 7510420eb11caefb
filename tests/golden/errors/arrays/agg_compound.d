/*
 * The value of an aggregation's assignment is assigned to.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_FUNC; d-language 9.5 not-lvalues */
BEGIN
{
	(@a = count()) = 3;
}
