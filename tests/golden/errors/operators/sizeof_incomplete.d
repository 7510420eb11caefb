/*
 * The size of a struct that is only named.
 * @args -x errtags
 * @ref d-errors 2.4 D_SIZEOF_TYPE; d-language 12 incomplete */
BEGIN
{
	trace(sizeof(struct no_such_struct));
}
