/*
 * print() shows the members of a translated object, one that a variable keeps too, from its input's value on.
 * @ref d-language 16.2 object-print
 * @ref output 10 typed-value
 */
#pragma D option quiet

struct part { int tens; string label; };
struct out { int value; string text; struct part part; struct part *link; char name[8]; int bits : 3; int untouched; };
translator struct part < int i > { tens = i * 10; label = "part"; };
translator struct out < int i > {
	value = i;
	text = strjoin("n", lltostr(i));
	part = xlate <struct part> (i);
	link = xlate <struct part *> (i + 1);
	name = "name";
	bits = 1;
};

BEGIN
{
	print(xlate <struct out> (3));
	print(xlate <struct out *> (4));
	print(*xlate <struct out *> (5));
	this->p = xlate <struct out *> (6);
	print(this->p);
	print(*this->p);
	print(this->p->part);
	print(this->p->link);
	print(1 ? this->p : NULL);
	v = xlate <struct out> (7);
	print(v);
	exit(0);
}
