/*
 * Members: structs, unions, arrays, enums, chars, pointers, bit-fields, signedness; those that are 0 are left out.
 * @ref d-builtins 5.4 struct zero-members arrays enums-and-chars
 * @ref output 10 indent member outer-brace unions leading-nul-array integers characters bit-fields pointers enums arrays char-array-end zero-omitted all-zero anonymous typed-value
 */
#pragma D option quiet

struct in {
	int a;
	int b;
};
enum e { NONE, ONE, TWO };
struct s {
	struct in in;
	struct in none;
	union { int i; short half; } u;
	enum e e;
	enum e unknown;
	int row[4];
	short matrix[2][3];
	struct in list[3];
	char name[8];
	char late[4];
	signed char sc;
	unsigned char uc;
	uint64_t big;
	int64_t negative;
	struct in *p;
	void *v;
	char *null;
	int bits : 3;
	unsigned more : 5;
	struct { int x; } anonymous;
} s;
struct in nothing;

BEGIN
{
	s.in.b = -2;
	s.u.i = 0x20001;
	s.e = TWO;
	s.unknown = (enum e)9;
	s.row[1] = 5;
	s.row[3] = -6;
	s.matrix[1][2] = 7;
	s.list[2].a = 8;
	s.name[0] = 'o';
	s.name[1] = 'k';
	s.name[3] = 'x';
	s.late[2] = 'z';
	s.sc = 'A';
	s.uc = 200;
	s.big = -1;
	s.negative = -1;
	s.p = (struct in *)0xffff888100a0b000;
	s.v = (void *)16;
	s.bits = -1;
	s.more = 31;
	s.anonymous.x = 1;
	print(s);
	print(nothing);
	print(s.in);
	exit(0);
}
