/*
 * printa of several aggregations: rows joined by key, a zero for what is missing, sorted by the
 * first, or by that of aggsortpos.
 * @ref d-builtins 7.4 joined sort-options
 * @ref output 8.1 joined joined-missing; output 8.4 aggsortpos
 */
#pragma D option quiet

BEGIN
{
	@n["a"] = count();
	@n["b"] = count();
	@n["b"] = count();
	@sum["b"] = sum(-3);
	@sum["c"] = sum(10);
	@min["a"] = min(7);
	@max["c"] = max(-7);
	@avg["c"] = avg(5);
	@u = count();
	@v = sum(-1);

	printa(@n, @sum);
	printa(@n, @min, @max, @avg);
	printa("%s n %@d sum %@d\n", @n, @sum);
	printa("%s sum %@d n %@d\n", @sum, @n);
	printa("%s %@5d|%-@5d|%@x\n", @n, @sum, @avg);
	printa("%@d %@d %@d repeats the last\n", @n, @sum);
	printa("%@d %@d\n", @u, @v);
	printa(@u, @v);
}

BEGIN
{
	setopt("aggsortpos", "1");
	printa("pos 1: %s n %@d sum %@d\n", @n, @sum);
	setopt("aggsortpos", "9");
	printa("pos 9: %s n %@d sum %@d\n", @n, @sum);
	setopt("aggsortrev");
	printa("rev: %s n %@d sum %@d\n", @n, @sum);
	setopt("aggsortkey");
	printa("key, rev: %s n %@d sum %@d\n", @n, @sum);
	exit(0);
}
