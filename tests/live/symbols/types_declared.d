/*
 * Typedefs by the module that has them, in declarations.
 * @ref d-language 14 scoped-type containers
 * @ref d-language 6.2 module-qualified
 */
#pragma D option quiet

typedef struct { int a; char b; } mine;
typedef vmlinux`pid_t number; /* a word with ` at the outer level is a probe description */
number p;
self vmlinux`u8 u;
typedef D`mine own;
own m;
struct s { vmlinux`u16 h; D`mine m; } s;

BEGIN
{
	p = curthread->tgid;
	self->u = 257;
	m.b = 'm';
	s.h = 65537;
	printf("%d %d %c %d %d %d\n", p == pid, self->u, m.b, s.h, sizeof(s), sizeof(D`mine));
	exit(0);
}
