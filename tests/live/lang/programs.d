/*
 * Several programs are compiled in their order and share variables, types and aggregations.
 * @args -n 'BEGIN { x++; printf("second %d\n", x); @a["second"] = sum(x); }' -s "$DIR/programs.d" -n 'typedef int my_t; BEGIN { exit(0); }' -n 'END { printf("last %d %d\n", x, (my_t)5); }'
 * @ref d-language 3 programs-share
 * @ref cli 2.4 shared-names fire-in-order
 */
#pragma D option quiet

int x;

BEGIN
{
	x += 10;
	printf("script %d\n", x);
	@a["script"] = sum(x);
}
