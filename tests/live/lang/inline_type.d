/*
 * An inline has the type and the range of its declaration.
 * @ref d-language 13 value-of-type
 */
#pragma D option quiet

inline char N = 300;
inline uint8_t minus = -1;
inline char cut[int x] = x;
inline int64_t wide = 1;

BEGIN
{
	printf("%d %d %d\n", N, minus, cut[511]);
	printf("%d %d\n", sizeof(N), sizeof(wide));
	exit(0);
}
