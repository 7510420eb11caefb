/*
 * printf: integer conversions, flags, width and precision; integers of every width and sign.
 * @ref d-builtins 8 percent flags pointer-width star
 * @ref output 7 d-i o-u-x-X p size-automatic width-pointer
 * @ref d-builtins 8.1 d-i u o-x-X p h l ll size-automatic
 * @ref d-builtins 8.3 negative-unsigned
 * @ref d-builtins 4 printf
 */
#pragma D option quiet

BEGIN
{
	printf("%d %i %d %i|%u %u|%o %x %X\n", 0, 42, -42, -1, 42, (int)-1, 8, 255, 255);
	printf("[%5d] [%-5d] [%05d] [%+d] [%+d] [% d] [% d]\n", 42, 42, 42, 42, -42, 42, -42);
	printf("[%#x] [%#X] [%#o] [%#x] [%#010x] [%-#8x]\n", 255, 255, 8, 0, 255, 255);
	printf("[%.5d] [%8.3d] [%-8.3d] [%.0d] [%+.3d]\n", 42, 7, 7, 0, 7);
	printf("[%*d] [%-*d] [%*d] [%.*d] [%*.*d]\n", 6, 42, 6, 42, -6, 42, 4, 7, 8, 3, 5);
	printf("[%?x] [%?d] [%-?x]\n", 255, 255, 255);
	printf("[%'d]\n", 1234567);
	printf("%d %u %x %o\n", (char)-1, (char)-1, (char)-1, (char)-1);
	printf("%d %u %x %o\n", (short)-1, (short)-1, (short)-1, (short)-1);
	printf("%d %u %x %o\n", -1, -1, -1, -1);
	printf("%d %u %x %o\n", (int64_t)-1, (int64_t)-1, (int64_t)-1, (int64_t)-1);
	printf("%d %i %u\n", (unsigned char)255, (unsigned short)65535, (unsigned int)-1);
	printf("%d %i %u %x\n", (uint64_t)-1, (uint64_t)-1, (uint64_t)-1, (uint64_t)-1);
	printf("%d %d\n", -9223372036854775807 - 1, 9223372036854775807);
	printf("%hd %hi %hu %hx %hX %ho\n", (short)-2, (short)2, (unsigned short)65534, (short)-2,
		(unsigned short)65534, (unsigned short)8);
	printf("%ld %li %lu %lx %lX %lo\n", (long)-3, (long)3, (unsigned long)3, (long)-3,
		(unsigned long)255, (unsigned long)8);
	printf("%lld %lli %llu %llx %llX %llo\n", (long long)-4, (long long)4,
		(unsigned long long)4, (int64_t)-4, (uint64_t)255, (unsigned long long)8);
	printf("%p %p %#p %p\n", 4096, (void *)0xffff888000001000, 4096, (uint64_t)-1);
	printf("100%% [%%] %%d\n");
	exit(0);
}
