/*
 * Names are matched in their case.
 * @args -x errtags
 * @ref d-errors 2.2 D_PDESC_ZERO; d-language 4 case-sensitive */
dtrace:::begin
{
	trace(1);
}
