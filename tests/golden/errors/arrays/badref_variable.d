/*
 * Two subscripts of a variable that isn't associative.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BADREF; d-language 9.1 subscript */
int a[4];

BEGIN
{
	trace(a[1, 2]);
}
