/*
 * A character that D doesn't know.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.1 hash-elsewhere */
BEGIN
{
	trace(1 # 2);
}
