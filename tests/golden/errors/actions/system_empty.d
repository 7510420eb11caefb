/*
 * A command cannot be empty; what is printed can (tests/live/lang/null.d).
 * @args -x errtags
 * @ref d-errors 2.10 D_PRINTF_FMT_EMPTY; d-builtins 8.2 empty; output 7 empty-format */
BEGIN
{
	system("");
}
