/*
 * A negative constant subscript of a variable.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BOUNDS; d-language 11.2 negative-constant */
int a[5];

BEGIN
{
	trace(a[-1]);
}
