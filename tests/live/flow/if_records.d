/*
 * if and else: the branch that is chosen records and does what it says; a fault ends the clause.
 * @stderr
 * @status 4
 * @ref d-language 21 if else if-nested if-fault
 */
#pragma D option quiet

int zero, after;

BEGIN
{
	x = 5;
	if (x == 5)
		printf("five\n");
	if (x == 6)
		printf("six\n");
	else
		printf("not six\n");
	if (x < 3) {
		printf("small\n");
	} else if (x < 10) {
		printf("middle");
		y = x * 2;
		if (y > 9) {
			printf(" %d", y);
		}
		printf("\n");
	} else {
		printf("big\n");
	}
	if (x && (y = 0))
		printf("never\n");
	printf("%d %d\n", x, y);
	if (curthread) { } else { printf("none\n"); }
	if (x)
		@["counted"] = count();
	else
		@["not counted"] = count();
}

BEGIN
{
	printf("lost");
	if (x / zero)
		after = 1;
	after = 2;
}

BEGIN
{
	if (x) {
		before = 1;
		y = x / zero;
	}
	after = 3;
}

BEGIN
/before/
{
	printf("after %d\n", after);
	if (1)
		exit(4);
	else
		exit(5);
}
