/*
 * clear() of a number.
 * @args -x errtags
 * @ref d-errors 2.10 D_CLEAR_AGGARG; d-builtins 7.5 argument-errors */
BEGIN
{
	clear(1);
}
