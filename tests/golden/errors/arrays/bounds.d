/*
 * A constant subscript beyond the array.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BOUNDS; d-language 11.2 constant-index */
BEGIN
{
	trace(curthread->comm[16]);
}
