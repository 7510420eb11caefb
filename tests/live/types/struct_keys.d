/*
 * Structs as keys are compared byte by byte, padding included, alone or among other keys; in an aggregation they
 * are shown as a dump.
 * @ref d-language 8.3 struct-keys string-keys
 * @ref d-language 15 struct-keys
 * @ref d-builtins 5.2 byte-keys header rows
 */
#pragma D option quiet

struct key {
	char kind;
	int number;
};
struct key k, other;
int alone[struct key];
string among[int, struct key, string];

BEGIN
{
	k.kind = 1;
	k.number = 2;
	alone[k] = 12;
	among[5, k, "x"] = "found";
	other.number = 2;
	printf("%d ", alone[other]);
	other.kind = 1;
	printf("%d %s\n", alone[other], among[5, other, "x"]);
	k.number = 3;
	printf("%d %d %d %d\n", alone[k], among[5, k, "x"] == NULL, among[4, other, "x"] == NULL,
		among[5, other, "y"] == NULL);
	alone[k] = 13;
	alone[other]++;
	printf("%d %d\n", alone[k], alone[other]);
	alone[k] = 0;
	printf("%d %d\n", alone[k], alone[other]);
	@[k] = sum(40);
	@[other] = sum(30);
	@[k] = sum(2);
	exit(0);
}
