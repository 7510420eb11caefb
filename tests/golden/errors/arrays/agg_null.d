/*
 * An aggregation as a statement.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_NULL; d-language 15 statement */
BEGIN
{
	@z["k"];
}
