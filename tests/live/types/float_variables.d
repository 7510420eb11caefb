/*
 * Floating-point types are stored, copied and measured, alone and in structs; there is no arithmetic on them.
 * @ref d-language 6.1 floating-point-storage
 * @ref d-language 12 types
 */
#pragma D option quiet

float f;
self double d;
long double ld;
struct s {
	char c;
	float f;
	double d;
	long double ld;
	char last;
} x, y;
union bits {
	float f;
	uint32_t u;
} u, v;

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(f), sizeof(self->d), sizeof(ld), sizeof(struct s), offsetof(struct s, last));
	u.u = 0x3fc00000;
	f = u.f;
	x.f = f;
	y = x;
	v.f = y.f;
	printf("%x %x\n", v.u, u.u);
	exit(0);
}
