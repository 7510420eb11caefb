/*
 * print() of any value: its type and itself, as members of an object would be shown.
 */
#pragma D option quiet

enum color { RED, GREEN = 5 };
struct inner { int c; int d; };
struct all {
	char letter;
	short s;
	int i;
	long l;
	unsigned char u;
	char text[8];
	int three[3];
	struct inner in;
	union { int x; char y; } un;
	enum color col;
	int b1:3, b2:5;
	int *p;
};
struct all v;
struct inner one;
string text;
enum color c;

BEGIN { print(3); print(-1); print(3L); print((char)65); print((unsigned char)200); print((short)-2); }
BEGIN { print(0xffffffffU); print((uint64_t)-1); print("text"); text = "a \"quote\"\n"; print(text); }
BEGIN { c = GREEN; print(c); print((enum color)0); print((enum color)9); }
BEGIN { one.c = 1; one.d = -2; print(one); print(one.d); this->x = one; print(this->x); }
BEGIN
{
	v.letter = 'A';
	v.s = -2;
	v.i = 3;
	v.l = 1234567890123;
	v.u = 255;
	v.text[0] = 'h';
	v.text[1] = 'i';
	v.three[1] = 7;
	v.in = one;
	v.un.x = 65;
	v.col = GREEN;
	v.b1 = 1;
	v.b2 = -3;
	v.p = (int *)32;
	print(v);
	print(v.in);
	print(v.b2);
}
BEGIN { print(1 + 2 * 3); print(pid == $pid); print(x = 4); print(1 ? "yes" : "no"); exit(0); }
