/*
 * args without a subscript.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_BADREF; d-language 16.3 bare */
BEGIN
{
	trace(args);
}
