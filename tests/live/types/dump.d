/*
 * trace() of structs, unions and arrays that are not char is a dump of their bytes.
 * @filter 's/^ +[0-9]+( +1 +:BEGIN)/  C\1/'
 * @ref d-builtins 5.2 header rows
 * @ref d-builtins 5.1 struct
 */
struct s {
	char text[20];
	int i;
	short h[3];
} s;
union u {
	int i;
	char c[4];
};
this union u u;
unsigned char row[16];
int element[string];

BEGIN
{
	s.text[0] = 'a';
	s.text[1] = ' ';
	s.text[2] = '~';
	s.text[3] = 0x7f;
	s.text[19] = -1;
	s.i = 0x30313233;
	s.h[2] = 0x4142;
	this->u.i = 0x64636261;
	row[15] = 'z';
	trace(s);
	trace(this->u);
	trace(row);
	trace(s.h);
	exit(0);
}
