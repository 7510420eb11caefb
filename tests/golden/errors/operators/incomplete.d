/*
 * A member of a struct that is only named.
 * @args -x errtags
 * @ref d-errors 2.4 D_OP_INCOMPLETE; d-language 9.1 member; d-language 7.6 incomplete-use */
struct no_such_struct;

BEGIN
{
	trace(((struct no_such_struct *)0)->a);
}
