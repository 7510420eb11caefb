/*
 * A translator to what is no struct.
 * @args -x errtags
 * @ref d-errors 2.6 D_XLATE_SOU; d-language 16.1 output-struct */
translator int < int i > {
};

BEGIN
{
	trace(1);
}
