/*
 * A constant of 32 bits is stored without a register; a wider one takes one instruction of two slots.
 */
long x;

BEGIN
{
	x = 5;
	x = 0x123456789abc;
	x = -1;
}
