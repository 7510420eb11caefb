#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# @vm no: what of it is the kernel's is in other tests
# -G: objects compiled with the headers of other DTraces get sites that fire, with their arguments, is-enabled tests that
# know; what SystemTap's headers leave undefined is defined; what is refused.
# @ref cli 10 needs-program mixed-classes call-sites is-enabled in-place default-name several-commands failed-to-open archive
# @ref cli 10 file-type corrupt class machine no-such-provider no-such-probe again no-objects
# @ref providers 16.2 DTRACE_PROBE
# @ref providers 16.3 header-without-link
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider shop {
	probe query__start(char *, int);
	probe many(int8_t, uint8_t, short, unsigned short, int, unsigned, long, size_t, double, void *);
	probe quiet();
};
END
cat >linux.h <<'END'
#include <stdint.h>
#define SHOP_QUERY_START(a, b) __dtrace_shop___query__start(a, b)
#define SHOP_QUERY_START_ENABLED() ({ uint32_t enabled = 0; __dtraceenabled_shop___query__start(&enabled); enabled; })
#define SHOP_MANY(a, b, c, d, e, f, g, h, i, j) __dtrace_shop___many(a, b, c, d, e, f, g, h, i, j)
#define SHOP_QUIET() __dtrace_shop___quiet()
#ifdef __cplusplus
extern "C" {
#endif
extern void __dtrace_shop___query__start(char *, int);
extern void __dtraceenabled_shop___query__start(uint32_t *flag);
extern void __dtrace_shop___many(int8_t, uint8_t, short, unsigned short, int, unsigned, long, unsigned long, double, void *);
extern void __dtrace_shop___quiet(void);
#ifdef __cplusplus
}
#endif
END
# as Solaris has it, where the function returns the answer
sed -e '/define SHOP_QUERY_START_ENABLED/s/({.*/__dtraceenabled_shop___query__start()/' \
	-e 's/void __dtraceenabled_shop___query__start(uint32_t \*flag)/int __dtraceenabled_shop___query__start(void)/' linux.h >solaris.h
cat >prog.c <<'END'
#include HEADER
#include <stdio.h>
#ifdef __cplusplus
struct counter { template <typename T> __attribute__((noinline)) void count(T n) { SHOP_QUERY_START((char *)"counted", (int)n); } };
#endif
__attribute__((noinline)) int other(int n) { SHOP_QUIET(); return n; }
__attribute__((noinline)) void last(char *s, int n) { SHOP_QUERY_START(s, n); }
__attribute__((noinline)) void quiet_last(void) { SHOP_QUIET(); }
int main(int argc, char **argv)
{
	int unchanged = 0;

	printf("%d\n", SHOP_QUERY_START_ENABLED() ? 1 : 0);
	SHOP_QUERY_START((char *)"select", argc + 5);
	SHOP_MANY(-1, 200, -300, 60000, -5, 4000000000u, -7L, 8, 1.5, argv[0]);
	last((char *)"tail", -argc);
	quiet_last();
#ifdef __cplusplus
	counter().count(7L);
#endif
	printf("%d %d\n", other(3), unchanged);
	return 0;
}
END
cp prog.c prog.cc

# ---- objects that call functions

events='shop$target:::query-start { printf("%s:%s %s %d\n", probefunc, probename, copyinstr(arg0), (int)arg1); }
	shop$target:::many { printf("%d %d %d %d %d %d %d %d %s\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, copyinstr(arg9)); }
	shop$target:::quiet { printf("%s in %s\n", probename, probefunc); }'
seen='main:query-start select 6
-1 200 -300 60000 -5 4000000000 -7 8 ./program
last:query-start tail -1
quiet in quiet_last'
built=0
flow() { # COMPILER HEADER FLAGS...
	local source=prog.c
	command -v "$1" >/dev/null || return 0
	local want=$seen$'\nquiet in other'
	[[ $1 == *++ ]] && {
		source=prog.cc
		want='main:query-start select 6
-1 200 -300 60000 -5 4000000000 -7 8 ./program
last(char*, int):query-start tail -1
quiet in quiet_last()
void counter::count<long>(long):query-start counted 7
quiet in other(int)'
	}
	rm -f ./*.o
	what="$*"
	"$1" "${@:3}" -DHEADER="\"$2\"" -c -o prog.o $source || complain "does not build"
	"$DTRACE" -G -s prov.d prog.o 2>err.txt || complain "$(cat err.txt)"
	cp prog.o once.o
	"$DTRACE" -G -s prov.d prog.o 2>err.txt || complain "again: $(cat err.txt)"
	cmp prog.o once.o || complain "the second time changes the object"
	readelf -aW prog.o prov.o 2>&1 | grep -iE 'warning|error' && complain "readelf complains"
	"$1" -Wl,--fatal-warnings -o program prog.o prov.o 2>err.txt || { complain "$(cat err.txt)"; return; }
	expect_text "untraced" "$(./program)" $'0\n3 0'
	rm -f events.txt
	try "$DTRACE" -q -o events.txt -c ./program -n "$events"
	expect_out $'1\n3 0\n'
	expect_text events "$(grep . events.txt)" "$want"
	built=$((built + 1))
}
for header in linux.h solaris.h; do
	flow gcc $header -O0
	flow gcc $header -O2
	flow clang $header -O2
	flow g++ $header -O2
done
flow gcc linux.h -O2 -fPIC -fno-plt -g
flow clang linux.h -O0
flow gcc linux.h -O1 -ffunction-sections -fcf-protection=full
flow clang++ linux.h -O0
flow g++ linux.h -O0
[[ $built -ge 7 ]] || complain "only $built programs"
what="notes"
expect_text arguments "$(gcc -O1 -DHEADER='"linux.h"' -c prog.c && "$DTRACE" -G -s prov.d prog.o && gcc -o program prog.o prov.o && notes program | sort -u)" \
	'shop:many -1@%dil 1@%sil -2@%dx 2@%cx -4@%r8d 4@%r9d -8@0(%rsp) 8@8(%rsp) 8f@%xmm0 8@16(%rsp)
shop:query__start 8@%rdi -4@%esi
shop:quiet'

# ---- objects with notes already

what="with a header of ours"
"$DTRACE" -h -s prov.d
gcc -O2 -DHEADER='"prov.h"' -c -o ours.o prog.c && cp ours.o before.o
"$DTRACE" -G -s prov.d -o made.o ours.o || complain "fails"
cmp ours.o before.o || complain "the object is changed"
gcc -Wl,--fatal-warnings -o program made.o ours.o && [[ $(./program) == $'0\n3 0' ]] || complain "does not run"
gcc -o program ours.o made.o || complain "does not link"
try "$DTRACE" -q -o ours.txt -c ./program -n 'shop$target:::query-start { printf("%s %d\n", copyinstr(arg0), (int)arg1); }'
expect_out $'1\n3 0\n'
expect_text events "$(grep . ours.txt)" $'select 6\ntail -1'

what="as SystemTap's: declared in the header, defined by -G without objects"
cat >tap.c <<'END'
#include <stdio.h>
__extension__ extern unsigned short shop_quiet_semaphore __attribute__((unused)) __attribute__((section(".probes")));
int main(void) { printf("%d\n", shop_quiet_semaphore); return 0; }
END
"$DTRACE" -C -G -s prov.d -o tap.o || complain "fails"
gcc -Wl,--fatal-warnings -o program tap.c tap.o && [[ $(./program) == 0 ]] || complain "does not link"

# ---- names of what is written

what="names"
mkdir names && cd names || exit 1
echo 'provider more { probe x(); };' >more.d
"$DTRACE" -G -s ../prov.d && [[ -s prov.o ]] || complain "no prov.o"
"$DTRACE" -G -n BEGIN && [[ -s d.out ]] || complain "no d.out"
"$DTRACE" -G -n BEGIN -n END && [[ -s d.out.0 && -s d.out.1 ]] || complain "no d.out.N"
"$DTRACE" -G -s ../prov.d -s more.d -o both.o && [[ $(nm both.o | grep -c _semaphore) == 4 ]] || complain "no both.o"
"$DTRACE" -G -x linkmode=dynamic -x nolibs -x lazyload -x strip -x ldpath=/usr/bin/ld -64 -s ../prov.d -o other.o && [[ -s other.o ]] || complain "options"
cd ..

# ---- what is refused

refused() { # TEXT ARGUMENTS...
	try "$DTRACE" -G "${@:2}"
	expect_status 1
	expect_err "dtrace: $1"$'\n'
}
script="failed to link script prov.d"
try "$DTRACE" -G
expect_status 2
expect_err $'dtrace: -G requires one or more scripts or enabling options\n'
gcc -O1 -DHEADER='"linux.h"' -c -o good.o prog.c
refused "$script: failed to open missing.o: No such file or directory" -s prov.d missing.o
refused "failed to link description BEGIN: failed to open missing.o: No such file or directory" -n BEGIN missing.o
ar rcs lib.a good.o
refused "$script: archives are not permitted; use the contents of the archive instead: lib.a" -s prov.d lib.a
echo text >text.o
refused "$script: invalid file type: text.o" -s prov.d text.o
refused "$script: invalid file type: program" -s prov.d program
head -c 1000 good.o >short.o
refused "$script: corrupt file: short.o" -s prov.d short.o
echo | as --32 -o small.o -
refused "$script: incorrect ELF class for object file: small.o" -s prov.d small.o
refused "can't mix 32-bit and 64-bit object files" -s prov.d good.o small.o
refused "can't mix 32-bit and 64-bit object files" -64 -s prov.d small.o
refused "can't mix 32-bit and 64-bit object files" -32 -s prov.d good.o
only64="cannot make 32-bit object files: only 64-bit programs can be traced by USDT"
refused "$only64" -32 -s prov.d small.o
rm -f prov.o
refused "$only64" -32 -s prov.d
[[ ! -e prov.o ]] || complain "-G -32 wrote prov.o"
cp good.o arm.o && printf '\267' | dd of=arm.o bs=1 seek=18 conv=notrunc status=none
refused "$script: incorrect ELF machine type for object file: arm.o" -s prov.d arm.o
echo 'provider stall { probe x(); };' >stall.d
refused "failed to link script stall.d: no such provider shop" -s stall.d good.o
echo 'provider shop { probe query__start(char *, int); probe quiet(); };' >few.d
refused "failed to link script few.d: no such probe many" -s few.d good.o
echo 'extern void __dtrace_shop___quiet(void); void (*address)(void) = __dtrace_shop___quiet; void f(void) { address(); }
	void *g(void) { return (void *)__dtrace_shop___quiet; }' >odd.c
gcc -O2 -c odd.c
refused "$script: an error was encountered while processing odd.o" -s prov.d odd.o
refused "$script: there is no DOF on Linux: linktype elf writes an object to link" -x linktype=dof -s prov.d
refused "$script: failed to open no/where.o: No such file or directory" -s prov.d -o no/where.o
finish
