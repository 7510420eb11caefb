/*
 * A ; ends the declaration.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 23 semicolon */
provider p {
	probe x();
}

BEGIN
{
	trace(1);
}
