/*
 * trace() of structs, unions and arrays is a dump of their bytes.
 * @ref d-builtins 5.1 struct
 * @ref d-builtins 5.2 header rows
 */
#pragma D option quiet

struct s {
	int a;
	char text[14];
};

struct s s;
char array[3];

BEGIN
{
	s.a = 0x41424344;
	s.text[0] = 'h';
	s.text[1] = '~';
	s.text[2] = 0x7f;
	trace(s);
	array[0] = 0x1f;
	array[1] = ' ';
	trace(array);
	exit(0);
}
