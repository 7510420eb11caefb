/*
 * Strings of two sizes under ?:, a string member's assignment as a value, and bit-fields that promote to int.
 * @ref d-language 9.2; d-language 6.3
 */
#pragma D option quiet

struct r {
	unsigned char before;
	string<6> s;
	char after;
} r;
struct {
	unsigned m : 4;
} bits;
this string<4> narrow;

BEGIN
{
	printf("[%s] %.3s", r.s = "abcdefghij", r.s = "xyz");
	x = r.s = "longer than six";
	printf(" %s %s %d %d\n", x, r.s, r.before, r.after);
	printf("%s", pid ? "longer" : this->narrow);
	printf(" %s\n", pid ? this->narrow = "longer" : "no");
	printf("%d %d %d\n", ~bits.m, (bits.m << 8) - 256, bits.m - 1 < 0);
	exit(0);
}
