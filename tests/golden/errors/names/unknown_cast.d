/*
 * A cast to a type that nobody defines is a syntax error, as a name that is no type's always was,
 * and all of them are reported.
 * @args -e -x errtags -x explain
 * @ref d-errors 2.1 D_SYNTAX
 */
BEGIN
{
	trace((no_such_t *)arg0);
}

BEGIN
/(no_such_t)5 == 5/
{
	trace(0);
}

BEGIN
{
	trace(xlate <no_such_t *>(arg0));
}

BEGIN
{
	trace((no_such`type **)0);
	x = (x) * 5;
}
