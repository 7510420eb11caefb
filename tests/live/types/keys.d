/*
 * Structs as keys are compared byte by byte.
 * @ref d-language 8.3 struct-keys
 * @ref d-language 15 struct-keys
 */
#pragma D option quiet

struct k {
	int a;
	short b;
	short c;
};

struct k k;
struct k l;

BEGIN
{
	k.a = 1;
	l.a = 1;
	a[k] = 5;
	a[l]++;
	l.c = 3;
	a[l] = 7;
	printf("%d %d", a[k], a[l]);
	k.c = 3;
	printf(" %d\n", a[k]);
	@["x", k] = count();
	@["x", l] = count();
	l.b = 1;
	@["x", l] = count();
	printa("%s %@d\n", @);
	exit(0);
}
