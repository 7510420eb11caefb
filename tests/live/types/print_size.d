/*
 * printsize: what is behind it is shown as ..., once, and the braces are closed; it is rounded up to a multiple of 8.
 * @args -x printsize=9
 * @ref d-builtins 5.4 printsize
 * @ref output 10 printsize
 * @ref options 3 printsize
 */
#pragma D option quiet

struct s {
	int a;
	struct { int b; int c; } in;
	long d;
	long e;
} s;
struct fits { long a; long b; } fits;

BEGIN
{
	s.a = 1;
	s.in.b = 2;
	s.in.c = 3;
	s.d = 4;
	s.e = 5;
	print(s);
	fits.a = 1;
	fits.b = 2;
	print(fits);
	exit(0);
}
