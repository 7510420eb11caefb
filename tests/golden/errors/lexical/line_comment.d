/*
 * Two slashes are no comment.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.1 no-line-comment */
BEGIN
{
	trace(1); // one
}
