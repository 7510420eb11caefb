/*
 * Casts between all integer types, and sizeof.
 * @ref d-language 9.4 scalars
 * @ref d-language 6.1 integer-types any-order typedefs
 * @ref d-language 12 types
 * @ref d-language 6.3 truncated-to-type
 */
#pragma D option quiet

char c;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned int u;
long l;
unsigned long ul;

BEGIN
{
	c = -100;
	uc = 200;
	s = -30000;
	us = 60000;
	i = -2000000000;
	u = 4000000000;
	l = -9000000000000000000;
	ul = 18000000000000000000u;
}

BEGIN
{
	printf("casts of c: %d %d %d %d %d %d %d %d\n",
		(char)c, (unsigned char)c, (short)c, (unsigned short)c, (int)c, (unsigned int)c,
		(long)c, (unsigned long)c);
	printf("casts of uc: %d %d %d %d %d %d %d %d\n",
		(char)uc, (unsigned char)uc, (short)uc, (unsigned short)uc, (int)uc,
		(unsigned int)uc, (long)uc, (unsigned long)uc);
	printf("casts of s: %d %d %d %d %d %d %d %d\n",
		(char)s, (unsigned char)s, (short)s, (unsigned short)s, (int)s, (unsigned int)s,
		(long)s, (unsigned long)s);
	printf("casts of us: %d %d %d %d %d %d %d %d\n",
		(char)us, (unsigned char)us, (short)us, (unsigned short)us, (int)us,
		(unsigned int)us, (long)us, (unsigned long)us);
	printf("casts of i: %d %d %d %d %d %d %d %d\n",
		(char)i, (unsigned char)i, (short)i, (unsigned short)i, (int)i, (unsigned int)i,
		(long)i, (unsigned long)i);
	printf("casts of u: %d %d %d %d %d %d %d %d\n",
		(char)u, (unsigned char)u, (short)u, (unsigned short)u, (int)u, (unsigned int)u,
		(long)u, (unsigned long)u);
	printf("casts of l: %d %d %d %d %d %d %d %d\n",
		(char)l, (unsigned char)l, (short)l, (unsigned short)l, (int)l, (unsigned int)l,
		(long)l, (unsigned long)l);
	printf("casts of ul: %d %d %d %d %d %d %d %d\n",
		(char)ul, (unsigned char)ul, (short)ul, (unsigned short)ul, (int)ul,
		(unsigned int)ul, (long)ul, (unsigned long)ul);
	printf("typedefs: %d %d %d %d %d %d %d %d\n",
		(int8_t)u, (uint8_t)u, (int16_t)u, (uint16_t)u, (int32_t)u, (uint32_t)u,
		(int64_t)u, (uint64_t)i);
	printf("more typedefs: %d %d %d %d %d %d %d %d %d\n",
		(uchar_t)i, (ushort_t)i, (uint_t)i, (ulong_t)i, (size_t)-1, (ssize_t)ul,
		(intptr_t)ul, (uintptr_t)l, (ptrdiff_t)ul);
	printf("spelt otherwise: %d %d %d %d %d %d %d %d %d\n",
		(signed char)us, (long long)u, (unsigned long long)i, (long int)i,
		(int long unsigned)i, (short int)us, (unsigned)i, (signed)u,
		(unsigned short int)i);
	printf("cast of an intermediate: %d %d %d %d %d %d\n",
		(int)(u + u), (unsigned char)(uc + uc), (long)(i + i), (long long)(i * 2),
		(unsigned long)(u * 2), (char)(short)l);
	printf("sizes: %d %d %d %d %d %d %d %d %d %d\n",
		sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long),
		sizeof(char *), sizeof(int8_t), sizeof(uint16_t), sizeof(int32_t),
		sizeof(uint64_t));
	printf("sizes of expressions: %d %d %d %d %d %d %d %d %d %d %d\n",
		sizeof c, sizeof(us), sizeof(u), sizeof ul, sizeof(c + c), sizeof(u + l),
		sizeof(-c), sizeof 1, sizeof 1l, sizeof 0x80000000, sizeof 2147483648);
	exit(0);
}
