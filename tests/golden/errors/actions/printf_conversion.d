/*
 * An unknown conversion.
 * @args -x errtags
 * @ref d-errors 2.1 D_SYNTAX; d-builtins 8.2 syntax; output 7 undefined-conversion */
BEGIN
{
	printf("%z", 1);
}
