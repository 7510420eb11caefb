/*
 * Comments don't nest.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-language 1.1 comment-nested */
/* one /* two */ three */
BEGIN
{
	trace(1);
}
