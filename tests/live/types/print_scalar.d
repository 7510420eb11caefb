/*
 * Scalars, strings and arrays; through a pointer the address comes first.
 * @filter 's/0xff[0-9a-f]{14} = /0xADDR = /'
 * @ref d-builtins 5.4 scalar arrays enums-and-chars struct
 * @ref output 10 address-line indent scalar-comma typed-value
 */
#pragma D option quiet

int i;
unsigned long big;
enum color { RED, GREEN } color;
string s;
int a[4];
char text[8];
struct pair { int x; int y; };

BEGIN
{
	print(42);
	i = -7;
	print(i);
	big = -1;
	print(big);
	print((char)65);
	color = GREEN;
	print(color);
	s = "text";
	print(s);
	a[2] = 4;
	print(a);
	text[0] = 'h';
	text[1] = 'i';
	print(text);
	print((struct pair *)0x18 + 1 == 0);
	this->i = (int *)alloca(sizeof(int));
	*this->i = 77;
	print(this->i);
	this->p = (struct pair *)alloca(sizeof(struct pair));
	this->p->x = 0;
	this->p->y = 3;
	print(this->p);
	print(*this->p);
	print(this->p->y);
	exit(0);
}
