/*
 * A predicate with an unknown name, which the body doesn't bring.
 * @args -x errtags
 */
BEGIN
/nosuch > 1/
{
	trace(1);
}
