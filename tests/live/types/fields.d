/*
 * Bit-fields: sign, width, neighbours, layout as C has it.
 * @ref d-language 7.5 sign assignment layout
 * @ref d-language 7.1 unnamed-member
 */
#pragma D option quiet

struct f {
	int a:3;
	unsigned int b:3;
	int :2;
	int c:8;
	unsigned int d:20;
	char e;
	uint64_t g:40;
	int z:1;
};

struct f f;
self struct f s;

BEGIN
{
	f.a = -1;
	f.b = -1;
	printf("%d %d %d %d\n", f.a, f.b, f.c, f.d);
	f.a = 3;
	f.c = 200;
	f.d = 0xfffff;
	f.e = 'e';
	f.g = 0x123456789ab;
	f.z = 1;
	printf("%d %d %d %d %c %x %d\n", f.a, f.b, f.c, f.d, f.e, f.g, f.z);
	f.b = 10;
	f.c--;
	f.d += 2;
	printf("%d %d %d %d %c %x\n", f.a, f.b, f.c, f.d, f.e, f.g);
	f.a = 4;
	printf("%d\n", f.a);
	printf("%d %d\n", sizeof(struct f), offsetof(struct f, e));
	self->s = f;
	self->s.b = 1;
	printf("%d %d %d\n", self->s.a, self->s.b, f.b);
	exit(0);
}
