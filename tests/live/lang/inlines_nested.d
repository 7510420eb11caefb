/*
 * Inlines: evaluated where they are used, each time; constants where the language wants one;
 * parameters with types; in terms of other inlines.
 * @ref d-language 13 evaluated-at-use parameters constant
 */
#pragma D option quiet

int n, zero, calls;
inline int TWICE = n * 2;
inline int NEXT = n++;
inline int SIZE = 3;
inline int MORE = SIZE + 1;
inline int ME = pid;
inline struct task_struct *TASK = curthread;
inline int TGID = TASK->tgid;
inline string WORD = "word";
inline long LONG = 1;
inline int SUM[int a, int b] = a + b * 2;
inline int DOUBLE[int a] = a + a;
inline int NARROW[char c] = c;
inline string CHOICE[string s, int more] = more ? strjoin(s, "+") : WORD;
inline int SCALED[int x] = SUM[x, MORE] * SIZE;
inline int SAFE[int d] = d ? 10 / d : -1;
inline string WHERE = probename;
int sized[SIZE];
enum { FIRST = MORE };
struct bits { int b:SIZE; };

BEGIN
{
	n = 4;
	printf("%d ", TWICE);
	n = 5;
	printf("%d\n", TWICE);
	printf("%d %d %d\n", NEXT, NEXT, n);
	printf("%d %d %d\n", sizeof(sized), FIRST, sizeof(LONG));
	x = LONG;
	printf("%d %s\n", sizeof(x), WORD);
	printf("%d %d\n", ME == pid, TGID == pid);
	printf("%d %d %d\n", SUM[1, 2], SUM[n, SUM[1, 1]], SCALED[1]);
	printf("%d %d %d\n", NARROW[300], SAFE[zero], SAFE[3]);
	printf("%s %s\n", CHOICE["a", 1], CHOICE["a", 0]);
	@[SIZE, WORD] = sum(DOUBLE[SIZE]);
	a[MORE] = WORD;
	printf("%s\n", a[4]);
	stack(SIZE - 3 + 1);
	printf("%s ", WHERE);
}

BEGIN /SIZE == 3 && SAFE[2] == 5/ { printf("predicate\n"); exit(0); }
BEGIN /SAFE[zero] > 0/ { printf("never\n"); }
END { printf("%s\n", WHERE); }
