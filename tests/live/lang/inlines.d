/*
 * Inlines: evaluated at each use, of every type, with parameters.
 * @ref d-language 13 evaluated-at-use parameters constant
 */
#pragma D option quiet

int n;
string s;
inline int next = n++;
inline string who = strjoin("<", strjoin(s, ">"));
inline struct task_struct *parent = curthread->real_parent;
inline int SIZE = 3;
inline int area[int a, int b] = a * b;
inline int square[int a] = area[a, a];
inline string pick[int which, string a, string b] = which ? a : b;
inline uint64_t twice[uint64_t x] = x + x;
int grid[SIZE + 1];

BEGIN
{
	printf("%d %d", next, next);
	printf(" %d\n", n);
	s = "a";
	printf("%s", who);
	s = "b";
	printf(" %s\n", who);
	printf("%d\n", parent->tgid == ppid);
	printf("%d %d %d\n", area[2, 3], square[4], area[square[2], n + 1]);
	printf("%s %s\n", pick[1, "yes", "no"], pick[0, "yes", s]);
	printf("%d %d\n", twice[0x100000000], area[2 + 1, 1 + 1]);
	printf("%d\n", sizeof(grid));
	exit(0);
}
