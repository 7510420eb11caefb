/*
 * A predicate with an unknown name, which the body doesn't bring.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF */
BEGIN
/nosuch > 1/
{
	trace(1);
}
