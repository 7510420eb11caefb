#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -C: declarations of C headers are taken, with what GNU C adds, bodies are skipped, and the types are usable; the same
# header may be included by several programs.
# @vm no: the compiler alone, beside the one of C
# @ref d-language 1.2 definitions-and-includes
# @ref d-language 7.5 layout
# @timeout 60
set -u
. "$SRCDIR/tests/live/cli/lib.sh"
command -v cpp cc >/dev/null || { echo "needs cpp and cc"; exit 77; }

mkdir include
cat >include/every.h <<'H'
#include <stdarg.h>
__extension__ typedef long long int quad;
typedef __signed__ char s8;
typedef __int128 big;
typedef struct only_tag { int x; } __attribute__((__packed__)) only;
typedef struct nothing { int x; };
extern int call(const char *__restrict name, quad n, ...) __asm__("" "call_64") __attribute__((nonnull(1)));
int plain(void), tab[3];
quad twice(s8), *thrice(int (*)(void), char [], va_list);
extern int tab[];
extern const char *const names[];
extern struct later *later, and_later;
extern char *pid, *probename;
double exp(double), printf(const char *, ...);
static const char *const text[] = { "a", "b}" };
static __inline int body(int x)
{
	if (x > 1 && "}"[0] != '{') {
		for (;;) { asm volatile ("nop; }"); break; }
	}
	return 1.5e3;
}
extern __inline __attribute__((__always_inline__)) void *other(void) { return (void *)0; }
int unprefixed(int self, char *string) { register int probe = self; return probe; }
inline static void odd(void) { }
typedef enum { RED, GREEN = 1 << 3, WIDE = sizeof (quad), HIGH = ~0U, HUGE = 0x100000000, pid_ = 'a', } color;
enum { FAR __attribute__((deprecated)) = -5 };
typedef int function(int), (*callback)(function *, size_t (*)[4]);
int (parens)(int (typed), size_t);
typedef __typeof__(sizeof (int)) size;
typedef __typeof__(struct only_tag *) pointer;
typedef int word __attribute__((mode(DI)));
typedef float vector __attribute__((__vector_size__(16)));
typedef double _Complex complex;
typedef struct inner inner_t, *inner_p;
struct inner { struct inner *next; int counter, string, probe; char self[0]; };
_Static_assert(sizeof (int) == 4, "int");
struct empty { };
struct __attribute__((packed)) one { char c; int i; struct { short in; }; union { long l; char d; }; };
#pragma pack(push, 2)
struct two { char c; long l; int b : 20; int : 0; quad q; char rest[]; };
#pragma pack(pop)
struct three { char c; int i __attribute__((aligned(32))); short s; word w; vector v; } __attribute__((aligned(64)));
struct four { char c; big b; complex z; color k; only o; };
struct five { char c; int f : 7 __attribute__((packed)); int g : 30 __attribute__((packed)); } ;
H
cat >print.h <<'H'
P("%d %d %d %d ", sizeof (quad), sizeof (s8), sizeof (big), sizeof (only));
P("%d %d %d %d\n", sizeof (color), sizeof (word), sizeof (vector), sizeof (complex));
P("%d %d %d %d ", RED, GREEN, WIDE, FAR);
P("%d %d %d\n", (int)(HIGH >> 4), (int)(HUGE >> 20), pid_);
P("%d %d %d\n", sizeof (callback), sizeof (struct inner), sizeof (pointer));
P("%d %d %d ", sizeof (struct one), offsetof(struct one, i), offsetof(struct one, in));
P("%d\n", offsetof(struct one, d));
P("%d %d %d\n", sizeof (struct two), offsetof(struct two, l), offsetof(struct two, q));
P("%d %d %d ", sizeof (struct three), offsetof(struct three, i), offsetof(struct three, s));
P("%d %d\n", offsetof(struct three, w), offsetof(struct three, v));
P("%d %d %d ", sizeof (struct four), offsetof(struct four, b), offsetof(struct four, z));
P("%d %d\n", offsetof(struct four, k), offsetof(struct four, o));
P("%d\n", sizeof (struct five));
H
cat >both.c <<'C'
#include <stddef.h>
#include <stdio.h>
#define asm __asm__
#define printf other_printf
#include "include/every.h"
#undef printf
int printf(const char *, ...);
#define P(format, ...) (printf)(format, ##__VA_ARGS__)
int main(void)
{
#include "print.h"
}
C
sed -i 's/offsetof(struct \([a-z]*\), \([a-z]*\))/(int)&/g; s/sizeof (/(int)&/g' print.h
cat >both.d <<'D'
#include "every.h"
#pragma D option quiet
#define P printf
BEGIN
{
#include "print.h"
}
D
cc -w -std=gnu11 -o both both.c 2>cc.err && ./both >expected || { cat cc.err; exit 1; }
try "$DTRACE" -C -I include -I . -s both.d -n 'BEGIN { exit(0); }'
expect_status 0
expect_err ""
expect_out "$(cat expected)"$'\n\n'

# members, through pointers and in variables; what C calls pid is no pid of D's; functions are not callable
cat >use.d <<'D'
#include "every.h"
#pragma D option quiet
struct one v;
inner_t list;
BEGIN
{
	v.i = 5;
	v.in = -1;
	v.d = 'x';
	list.counter = 3;
	list.probe = 4;
	this->p = (struct two *)alloca(sizeof (struct two));
	this->p->q = 1LL << 40;
	this->p->b = 77;
	printf("%d %d %c %d %d %d %d %d %d\n", v.i, v.in, v.d, list.counter, list.probe, this->p->q >> 38,
		this->p->b, pid == $pid, (color)GREEN);
	exit(0);
}
D
try "$DTRACE" -C -I include -s use.d
expect_err ""
expect_out $'5 -1 x 3 4 4 77 1 8\n\n'
printf '#include "every.h"\nBEGIN { trace(body(1)); }\n' >call.d
try "$DTRACE" -C -I include -x errtags -s call.d
expect_status 1
expect_match stderr "$err" '\[D_FUNC_UNDEF\] line 2: undefined function name: body'

# two programs that include it; a struct that is another one is an error
printf '#include "every.h"\nBEGIN { exit(sizeof (struct two)); }\n' >again.d
try "$DTRACE" -C -I include -q -s use.d -s again.d
expect_err ""
sed 's/^struct __attribute__((packed)) one.*/struct one { long c; };/' include/every.h >include/changed.h
printf '#include "changed.h"\nBEGIN { exit(0); }\n' >again.d
try "$DTRACE" -C -I include -x errtags -q -s use.d -s again.d
expect_status 1
expect_match stderr "$err" '\[D_DECL_TYPERED\] "[^"]*changed.h", line [0-9]+: type redeclared: struct one'

# in the script itself; D's functions and variables stay D's, also in files of D that are included
cat >include/util.d <<'D'
int doubled(int x) { return x * 2; }
int shared;
D
cat >script.d <<'D'
#include "util.d"
#pragma D option quiet
int prototype(int, boolean_t);
extern int tab[];
extern int kept;
static inline int skipped(void) { return 0; }
typedef struct pair { uint_t a; boolean_t b; } pair_t;
typedef struct pair pair_t;
pair_t p;
BEGIN
{
	p.b = B_TRUE;
	kept = shared = 4;
	printf("%d %d %d %d\n", doubled(p.b), kept, sizeof (boolean_t), B_FALSE);
	exit(0);
}
D
try "$DTRACE" -C -I include -s script.d
expect_status 0
expect_err ""
expect_out $'2 4 4 0\n\n'

# without -C they are the errors that they were
for line in 'int prototype(int);' 'extern int tab[];' 'typedef struct pair { int a; };' 'struct a { struct { int b; }; };' \
	'__extension__ typedef int q;' 'static inline int f(void) { return 0; }'; do
	printf '%s\nBEGIN { exit(0); }\n' "$line" >s.d
	try "$DTRACE" -qs s.d
	expect_status 1
done
finish
