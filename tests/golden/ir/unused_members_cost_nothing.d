/*
 * Of a translator only the members that are asked for are evaluated.
 * @only maps body
 */
struct out { int cheap; string costly; };

translator struct out < long n >
{
	cheap = n + 1;
	costly = strjoin(execname, copyinstr(n));
};

int x;

BEGIN
{
	x = xlate<struct out>((long)3).cheap;
}
