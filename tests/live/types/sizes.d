/*
 * Sizes of the basic types and of the typedefs that every program has; specifiers in any order.
 * @ref d-language 6.1 integer-types any-order typedefs string-size
 * @ref d-language 12 types string-literal array-variable
 */
#pragma D option quiet

int a[7];
string s;

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
	printf("%d %d %d\n", sizeof(float), sizeof(double), sizeof(long double));
	printf("%d %d %d %d\n", sizeof(int8_t), sizeof(int16_t), sizeof(int32_t), sizeof(int64_t));
	printf("%d %d %d %d\n", sizeof(uint8_t), sizeof(uint16_t), sizeof(uint32_t), sizeof(uint64_t));
	printf("%d %d %d %d %d\n", sizeof(intptr_t), sizeof(uintptr_t), sizeof(ssize_t), sizeof(size_t),
		sizeof(ptrdiff_t));
	printf("%d %d %d %d %d\n", sizeof(uchar_t), sizeof(ushort_t), sizeof(uint_t), sizeof(ulong_t),
		sizeof(u_longlong_t));
	printf("%d %d %d %d %d\n", sizeof(boolean_t), sizeof(longlong_t), sizeof(hrtime_t), sizeof(offset_t),
		sizeof(u_offset_t));
	printf("%d %d %d %d %d\n", sizeof(diskaddr_t), sizeof(daddr_t), sizeof(pgcnt_t), sizeof(spgcnt_t),
		sizeof(pfn_t));
	printf("%d %d %d %d %d\n", sizeof(index_t), sizeof(cnt_t), sizeof(major_t), sizeof(minor_t),
		sizeof(paddr_t));
	printf("%d %d %d %d %d %d\n", sizeof(u_char), sizeof(u_short), sizeof(u_int), sizeof(u_long),
		sizeof(quad_t), sizeof(u_quad_t));
	printf("%d %d\n", sizeof(intmax_t), sizeof(uintmax_t));
	printf("%d %d %d\n", sizeof(id_t), sizeof(pid_t), sizeof(void *));
	printf("%d %d %d %d\n", sizeof(long unsigned int), sizeof(int short), sizeof(long int long unsigned),
		sizeof(char unsigned));
	printf("%d %d %d %d %d\n", sizeof(string), sizeof(s), sizeof("abc"), sizeof(""), sizeof(a));
	printf("%d %d %d\n", sizeof(int [3]), sizeof(int *[3]), sizeof a[0]);
	exit(0);
}
