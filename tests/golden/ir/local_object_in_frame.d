/*
 * A clause-local variable that keeps one integer of an object needs no scratch memory.
 * @only maps body
 */
struct out { int cheap; string costly; };

translator struct out < long n >
{
	cheap = n + 1;
	costly = strjoin(execname, copyinstr(n));
};

BEGIN
{
	this->o = xlate <struct out *> (timestamp);
	@ = sum(this->o->cheap);
}
