/*
 * setopt("printsize"): it holds for the next print() of the same clause and after it, and may raise what the option said.
 * @args -q -x printsize=8
 * @ref d-builtins 5.4 printsize
 * @ref d-builtins 6 setopt-printsize
 */
struct s {
	int a, b, c, d;
	char text[16];
} s;

BEGIN
{
	s.a = 1;
	s.b = 2;
	s.c = 3;
	s.d = 4;
	s.text[0] = 'x';
	print(s);
	setopt("printsize", "16");
	print(s);
	setopt("printsize", "1k");
	print(s);
	print("a string");
	setopt("printsize", "4");
	print(s);
	setopt("printsize");
	print(s);
	setopt("printsize", "9");
}

BEGIN
{
	print(s.a);
	print(s);
	setopt("printsize", "8");
	exit(0);
}

END
{
	print(s);
}
