/*
 * A comment that doesn't end.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.1 comment-open */
BEGIN
{
	trace(1); /* one
}
