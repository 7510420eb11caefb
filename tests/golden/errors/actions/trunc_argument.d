/*
 * trunc() of a number.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRUNC_AGGARG; d-builtins 7.5 argument-errors; cli 3.3 continuation-lines */
BEGIN
{
	trunc(1);
}
