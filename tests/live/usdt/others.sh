#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @needs bpftrace
# @timeout 60
# @vm no: nothing of it is the kernel's
# bpftrace and perf see what dtrace -h and -G put into a program, and bpftrace the arguments.
# @ref providers 16.3 header-without-link
set -u
. "${0%/*}/lib.sh"

cat >prov.d <<'END'
provider shop { probe line(char *, int, int64_t); probe old(char *, int, int64_t, int, int, int); };
END
"$DTRACE" -h -s prov.d
cat >prog.c <<'END'
#include "prov.h"
#include <stdio.h>
extern void __dtrace_shop___old(char *, int, long, int, int, int);
int main(int argc, char **argv)
{
	if (SHOP_LINE_ENABLED())
		puts("enabled");
	SHOP_LINE("constant", -5, 40L);
	SHOP_LINE(argv[0], argc + 6, -1L - argc);
	__dtrace_shop___old("old", -argc, argc + 1L, 3, 4, 5);
	return 0;
}
END
gcc -O2 -c prog.c && "$DTRACE" -G -s prov.d prog.o && gcc -o prog prog.o prov.o || complain "does not build"

try bpftrace -e 'usdt:./prog:shop:line { printf("<%s %d %d>\n", str(arg0), arg1, arg2); }
	usdt:./prog:shop:old { printf("<%s %d %d %d %d %d>\n", str(arg0), arg1, arg2, arg3, arg4, arg5); }' -c ./prog
expect_text "bpftrace" "$(grep -E '^(<.*>|enabled)$' out.txt | sort)" "<./prog 7 -2>
<constant -5 40>
<old -1 2 3 4 5>
enabled"

if command -v perf >/dev/null; then
	export HOME=$PWD
	try perf buildid-cache --add ./prog
	try perf list sdt
	expect_text "perf" "$(grep -o 'sdt_shop:[a-z_]*' out.txt | sort -u)" "sdt_shop:line
sdt_shop:old"
fi
finish
