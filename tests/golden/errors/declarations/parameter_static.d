/*
 * A storage class on the parameter of a function.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PARMCLASS; d-language 7.1 parameter-class */
extern int f(static int);

BEGIN
{
	trace(1);
}
