/*
 * A scalar with a subscript.
 * @args -x errtags
 * @ref d-errors 2.5 D_ARR_BADREF */
BEGIN
{
	x = 1;
	x["a"] = 2;
}
