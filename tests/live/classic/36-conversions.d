#!/usr/sbin/dtrace -qs
/*
 * Every conversion of printf() with its flags, widths and precisions, in the columns of a report.
 * @args -q
 * @ref output 7 d-i
 */

dtrace:::BEGIN
{
	printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 42, 7);
	printf("[%i] [%i] [%u] [%u]\n", -42, (char)200, 42, (uint8_t)200);
	printf("[%o] [%#o] [%x] [%#x] [%X] [%#X] [%08x]\n", 8, 8, 255, 255, 255, 255, 0xbeef);
	printf("[%c] [%3c] [%-3c] [%c%c]\n", 'a', 'b', 'c', 100, 0x65);
	printf("[%s] [%6s] [%-6s] [%.2s] [%6.2s]\n", "abc", "abc", "abc", "abc", "abc");
	printf("[%*d] [%-*d] [%.*s]\n", 6, 42, 6, 42, 2, "abc");
	printf("[%hd] [%ld] [%lld] [%llx]\n", (short)-1, (long)-1, -1LL, 1ULL << 63);
	printf("[%p] [%p] [%lx]\n", (void *)0x1234, (int *)NULL, (uintptr_t)0xffff);
	printf("[%d] [%u] [%x]\n", NULL, NULL, NULL);
	printf("%d%% %s\n", 100, "done");
	printf("");
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	printf("tab\tquote\"back\\slash\101\x42 %5s|\n", "");
}

dtrace:::BEGIN
{
	this->small = (int8_t)-5;
	this->word = (uint16_t)65535;
	this->big = 0x123456789abcdef0;
	printf("%d %d %d %u\n", this->small, this->word, (int)this->big, (uint32_t)this->big);
	printf("%16d|%-16x|%016x\n", this->big >> 40, this->big, this->big >> 8);
	printf("%-10s %10s %-5s|\n", "name", "value", "unit");
	printf("%-10s %10d %-5s|\n", "length", 1234567, "m");
	printf("%10.3d|%-10.3d|%+5d|%+5d\n", 5, 5, 5, -5);
	printf("%s\n", execname == "dtrace" ? "run by dtrace" : execname);
	exit(0);
}
