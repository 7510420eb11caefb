#!/usr/sbin/dtrace -s
/*
 * Constants, inlines that are tables, enums and typedefs; the ternary operator where there was no if.
 * @trigger values errors
 * @ref d-language 13 parameters evaluated-at-use constant
 */

#pragma D option quiet

enum level { LOW = 1, MIDDLE, HIGH = 10 };
typedef enum level level_t;
typedef unsigned long long hugeint_t;
typedef struct { int a, b; } pair_t;

inline int DEBUG = 0;
inline hugeint_t LIMIT = 1ull << 33;
inline int is_error[int e] = e != 0;
inline string errname[int e] =
    e == 0 ? "-" :
    e == 2 ? "ENOENT" :
    e == 9 ? "EBADF" :
    e == 13 ? "EACCES" :
    e == 21 ? "EISDIR" :
    strjoin("E", lltostr(e));
inline string sizename[uint64_t n] = n >= LIMIT ? "huge" : n > (1 << 20) ? "large" : "small";
inline level_t level[int e] = is_error[e] ? HIGH : LOW;

dtrace:::BEGIN
{
	printf("%s %s %s\n", sizename[5], sizename[5000000], sizename[LIMIT]);
	printf("%s %s %d %d\n", errname[2], errname[99], level[0], level[1] == HIGH);
	printf("%d %d %d\n", sizeof (pair_t), sizeof (hugeint_t), MIDDLE);
	worst = LOW;
}

syscall::openat:return,
syscall::close:return,
syscall::getppid:return
/pid == $target && (probefunc != "close" || is_error[errno])/
{
	printf("%-8s %-6s %s\n", probefunc, errname[errno], level[errno] == HIGH ? "!" : "");
	worst = level[errno] > worst ? level[errno] : worst;
	@[errname[errno]] = count();
}

dtrace:::END
/DEBUG/
{
	printf("not compiled in\n");
}

dtrace:::END
{
	printf("worst %d\n", worst);
	printa("%-8s %@d\n", @);
}
