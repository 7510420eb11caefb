/*
 * A declaration inside a clause.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 3 no-local-declarations */
BEGIN
{
	int x;
}
