/*
 * Integer and character constants: radix, suffix, and the type that they get.
 * @ref d-language 1.5 radixes suffixes type-decimal type-hexadecimal type-suffixed
 * @ref d-language 1.6 type-int packing
 * @ref d-language 1.7 control-escapes octal-escapes hexadecimal-escapes
 */
#pragma D option quiet


BEGIN
{
	printf("decimal: %d %d %d %d %d %d %d\n",
		0, 1, 2147483647, 2147483648, 9223372036854775807, 4294967295, 4294967296);
	printf("octal: %d %d %d %d %d %d\n",
		00, 017, 0777, 037777777777, 0777777777777777777777, 01777777777777777777777);
	printf("hexadecimal: %d %d %d %d %d %d %d %d %d %d %d\n",
		0x0, 0xff, 0xFF, 0XaB, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff);
	printf("suffixes: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
		1u, 1U, 1l, 1L, 1ul, 1UL, 1lu, 1LU, 1ll, 1LL, 1ull, 1ULL, 1llu, 4294967296u,
		18446744073709551615u, 18446744073709551615ull);
	printf("types by size: %d %d %d %d %d %d %d %d %d %d %d\n",
		sizeof(2147483647), sizeof(2147483648), sizeof(0x7fffffff), sizeof(0xffffffff),
		sizeof(0x100000000), sizeof(1l), sizeof(1u), sizeof(4294967295u),
		sizeof(4294967296u), sizeof(1ull), sizeof(037777777777));
	printf("types by sign: %d %d %d %d %d %d %d %d %d %d %d\n",
		-2147483648, -2147483647 - 1, 0x80000000 - 1 > 0, -0x80000000, -0xffffffff, -1u,
		-1ul, -2147483648u, - -1, -0x7fffffff, -4294967295);
	printf("characters: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
		'a', 'ab', 'abc', 'abcd', '\n', '\t', '\a', '\b', '\f', '\r', '\v', '\\', '\"',
		'\0', '\101', '\x41', '"');
	printf("character values: %d %d %d %d %d %d\n",
		'a' + 1, sizeof('a'), 'Z' - 'A', '\1012', '\x7e', '/');
	exit(0);
}
