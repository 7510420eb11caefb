/*
 * trunc() of a number.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRUNC_AGGARG; d-builtins 7.5 argument-errors */
BEGIN
{
	trunc(1);
}
