/*
 * A compound assignment doesn't make a variable.
 * @args -x errtags
 * @ref d-errors 2.9 D_VAR_UNDEF; d-language 8.2 compound-does-not */
BEGIN
{
	x += 1;
}
