/*
 * quantize at the ends of 64 bits.
 * @ref d-builtins 7.2 quantize-ends
 * @ref output 9.1 ends
 */
#pragma D option quiet

BEGIN
{
	@["largest"] = quantize(9223372036854775807);
	@["smallest"] = quantize(-9223372036854775807 - 1);
	@["2 to the 62"] = quantize(4611686018427387904);
	@["below"] = quantize(4611686018427387903);
	exit(0);
}
