/*
 * Character constants: the first character is the most significant, more than four make eight bytes,
 * and a backslash before what is no escape stays.
 * @ref d-language 1.6 packing type-int wide-type
 * @ref d-language 1.7 other-escapes-kept
 */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", 'ab', 'abc', 'abcd');
	printf("%x %x\n", 'abcde', 'abcdefgh');
	printf("%d %d %d %d\n", sizeof('a'), sizeof('abcd'), sizeof('abcde'), sizeof('abcdefgh'));
	printf("%d %d\n", '\'', '\?');
	printf("%x %x %x\n", '\q', '\.', 'a\'b');
	printf("[%s] %d\n", "\'\?\q", strlen("\'\?\q"));
	exit(0);
}
