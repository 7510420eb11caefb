/*
 * A predicate that isn't closed.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX */
BEGIN
/1
{
	trace(1);
}
