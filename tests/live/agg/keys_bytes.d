/*
 * Keys of any other size: as text if they are text up to the zeros at the end, else as a dump.
 * @ref d-builtins 5.2 byte-keys
 * @ref output 8.1 bytes-dump bytes-text
 * @ref d-language 15 struct-keys
 */
#pragma D option quiet
#pragma D option aggsortkey

struct k {
	int a;
	short b;
	short c;
};

struct t {
	char c[6];
};

struct k k;
struct t text;

BEGIN
{
	@name[curthread->comm] = count();
	k.a = 0x41424344;
	k.b = 1;
	@key[k] = count();
	text.c[0] = 'h';
	text.c[1] = 'i';
	@text[text] = count();
	text.c[3] = 'x';
	@text[text] = count();
	exit(0);
}
