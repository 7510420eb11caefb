/*
 * A constant subscript beyond a variable.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BOUNDS; d-language 11.2 constant-index */
int a[5];

BEGIN
{
	a[5] = 1;
}
