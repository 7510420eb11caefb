/*
 * A variable keeps of a translated object its input and the members that are read through it, and an
 * assignment evaluates no others.
 * @only data body
 */
struct out { int cheap; string costly; };

translator struct out < long n >
{
	cheap = n + 1;
	costly = strjoin(execname, copyinstr(n));
};

struct out *o;
int x;

BEGIN
{
	o = xlate <struct out *> ((long)3);
}

BEGIN
{
	x = o->cheap;
}
