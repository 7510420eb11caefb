/*
 * Two subscripts of an array that isn't associative.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BADREF; d-language 9.1 subscript */
BEGIN
{
	trace(curthread->comm[1, 2]);
}
