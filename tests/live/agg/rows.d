/*
 * aggrows: only so many rows are printed, those with the largest values, of joined tables, too; what
 * is left out is still counted.
 * @ref options 3 aggrows
 */
#pragma D option quiet
#pragma D option aggrows=2

BEGIN
{
	@n["a"] = sum(1);
	@n["b"] = sum(5);
	@n["c"] = sum(3);
	@n["d"] = sum(4);
	@other["a"] = sum(10);
	@other["b"] = sum(20);
	@other["c"] = sum(30);
	@other["d"] = sum(40);
	printa("%s %@d %@d\n", @n, @other);
	printf("\n");
	setopt("aggsortrev");
	printa("%s %@d %@d\n", @n, @other);
	printf("\n");
	setopt("aggsortkey");
	printa("%s %@d\n", @n);
	printf("\n");
	setopt("aggrows", lltostr(1 + 2));
	printa("%s %@d\n", @n);
	printf("\n");
	setopt("aggrows", "0");
	printa("%s %@d\n", @n);
	setopt("aggrows", "1");
	exit(0);
}
