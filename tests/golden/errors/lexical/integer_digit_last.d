/*
 * An 8 in the last place of an octal constant.
 * @args -x errtags
 * @ref d-errors 2.8 D_INT_DIGIT; d-language 1.5 digit-of-radix */
BEGIN
{
	trace(0128);
}
