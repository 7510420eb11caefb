/*
 * Integer and pointer keys of every width: their columns, the sign of their type, unsigned order.
 * @ref d-language 15 scalar-keys
 * @ref output 8.1 int-8 int-4 int-2 int-1 pointer; output 8.4 integers-unsigned
 * @ref d-builtins 7.4 key-64-32 key-16-8-unsigned sort-keys-unsigned
 */
#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	@c[(char)-1] = count();
	@c[(char)1] = count();
	@s[(short)-1] = count();
	@s[(short)1] = count();
	@i[-1] = count();
	@i[1] = count();
	@l[(int64_t)-1] = count();
	@l[(int64_t)1] = count();
	@u[(unsigned int)-1] = count();
	@u[(unsigned int)1] = count();
	@ul[(uint64_t)-1] = count();
	@p[(void *)4096] = count();
	@p[(void *)0xffff888000000000] = count();
	@us[(uint16_t)65000] = count();
	@uc[(uint8_t)200] = count();
	@ui[3000000000] = count();
	@ui32[(uint32_t)3000000000] = count();
	@s2[(int16_t)-2] = count();
	@mixed[1, (char)2, (int64_t)3, (short)4, "five", 'x', (void *)7] = count();
	@mixed[1, (char)2, (int64_t)3, (short)4, "five", 'x', (void *)7] = count();
	@mixed[1, (char)2, (int64_t)3, (short)4, "six", 'x', (void *)7] = count();
	@mixed[1, (char)3, (int64_t)3, (short)4, "five", 'x', (void *)7] = count();
	exit(0);
}
