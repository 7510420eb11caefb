/*
 * A clause-local variable has one type in all clauses.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPAT; d-language 8.1 this-typed-for-all */
BEGIN
{
	this->x = 1;
}

END
{
	this->x = "a";
}
