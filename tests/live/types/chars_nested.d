/*
 * print() of an array of char is one string wherever it stands: in nested structs, unions and arrays, of named types
 * too; what is no text, and with rawbytes, are characters. Other integers of a byte are numbers.
 * @ref output 10 arrays
 * @ref output 10 nested-text
 * @filter 's/0x[0-9a-f]{6,}/0xADDR/'
 */
#pragma D option quiet

typedef char name_t[8];
struct in {
	char text[8];
	struct { char four[4]; char rows[2][5]; } sub;
	unsigned char bytes[4];
};
struct out {
	struct in one;
	struct in two[2];
	name_t named;
	const char fixed[3];
	union { char v[8]; long l; } u;
	char binary[4];
	char full[3];
} o;

BEGIN
{
	o.one.text[0] = 'h';
	o.one.text[1] = 'i';
	o.one.sub.four[0] = '"';
	o.one.sub.rows[1][0] = 'y';
	o.one.sub.rows[1][1] = 'z';
	o.two[1].text[0] = 'q';
	o.two[1].bytes[0] = 'u';
	o.named[0] = 'n';
	o.u.v[0] = 'v';
	o.binary[0] = 1;
	o.binary[1] = 'b';
	o.full[0] = o.full[1] = o.full[2] = 'f';
	print(o);
	print(o.one.sub.rows);
	print(&o.two[1]);
	setopt("rawbytes");
}

BEGIN { print(o.one.sub.rows); print(o.named); exit(0); }
