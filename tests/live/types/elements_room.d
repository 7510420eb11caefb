/*
 * A member that 0 is stored in makes no element: dynvarsize has room for a few only.  One more element than there is room
 * for is a dynamic variable drop; the value of the assignment is what was assigned.
 * @args -x dynvarsize=4k
 * @stderr
 * @ref d-language 8.4 zero-allocates-nothing
 */
#pragma D option quiet

struct s {
	long a;
	long b[60];
};
struct s element[int];

BEGIN
{
	for (i = 0; i < 100; i++) {
		element[i].a = 0;
		element[i].b[3] = i - i;
	}
	element[1000].a = 1;
	printf("%d %d\n", element[1000].a, element[1000].b[3]);
}

BEGIN
{
	for (i = 0; i < 20; i++)
		this->last = (element[i].b[1] = 7);
	printf("%d\n", this->last);
	exit(0);
}
