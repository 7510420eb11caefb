/*
 * An operand that was not given, in a description.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_INVAL; d-language 2 undefined-in-description */
dtrace:::$1
{
}
