/*
 * A member of a struct that is only declared.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPLETE; d-language 7.6 incomplete-use forward-tag */
struct later;
struct later *p;

BEGIN
{
	trace(p->a);
}
