/*
 * normalize() of a number.
 * @args -x errtags
 * @ref d-errors 2.10 D_NORMALIZE_AGGARG; d-builtins 7.5 argument-errors */
BEGIN
{
	normalize(1, 2);
}
