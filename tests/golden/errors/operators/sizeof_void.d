/*
 * The size of void.
 * @args -x errtags
 * @ref d-errors 2.4 D_SIZEOF_TYPE; d-language 12 void; d-language 9.1 sizeof */
BEGIN
{
	trace(sizeof(void));
}
