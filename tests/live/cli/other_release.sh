#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A kernel that calls itself older or newer than it is, as those of distributions do: the same features, the same programs, which
# load and count the same. Only what names the kernel differs.
# @needs cc
# @timeout 60
. "${0%/*}/lib.sh"

cat >release.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
int uname(struct utsname *u)
{
	int err = (int)syscall(SYS_uname, u);
	strcpy(u->release, getenv("RELEASE"));
	return err;
}
END
${CC:-cc} -shared -fPIC -o release.so release.c || exit 77

# all variables may be missing; one of them after the other
cat >variables.d <<'END'
int one[int], two[int, string];
self int three;
BEGIN { one[1] = 1; two[2, "b"] = 2; self->three = 3; }
BEGIN /one[1] == 1 && two[2, "b"] == 2 && self->three == 3 && !one[2] && !two[1, "a"]/ { printf("found\n"); }
BEGIN { @sum = sum(one[1] + one[7] + two[2, "b"] + two[3, "c"]); @q = quantize(two[2, "b"]); exit(0); }
END
# its loops, structures and strings take more stack than kernels before 6.13 have
cat >stack.d <<'END'
BEGIN { n = 0; }
BEGIN
{
	for (i = 0; i < 10; i++) { n += strlen(strjoin(strjoin("a", substr("bcd", i % 3)), lltostr(i))); }
	printf("%d %s\n", n, strtok(strjoin(basename("/a/b"), dirname("/c/d/e")), "/"));
	exit(0);
}
END
as_is() { "$@"; }
listing() { # AS...
	"$@" "$DTRACE" --doctor 2>&1 | grep -v '^kernel '
	"$@" "$DTRACE" -qs variables.d 2>&1
	"$@" "$DTRACE" -qs stack.d 2>&1
	for d in variables.d stack.d "$SRCDIR"/tools/{profile,runqlat,opensnoop,tcplife}.d; do
		echo "== ${d##*/}: $("$@" "$DTRACE" -Ses "$d" 2>&1 | sed -E 's/[0-9]{3,}//g' | tee last.txt | cksum)"
		[[ $(wc -l <last.txt) -gt 50 ]] || complain "$d: $(head -n 5 last.txt)"
	done
}

listing as_is >want.txt
grep -q '^found$' want.txt || complain "$(<want.txt)"
grep -qE '^[1-9][0-9]* b$' want.txt || complain "$(<want.txt)"
releases=0
for release in 2.6.32-754.el6 5.14.0-427.13.1.el9_4.x86_64 7.0.0-1-amd64 99.9 unknown; do
	[[ $(RELEASE=$release LD_PRELOAD=$PWD/release.so "$DTRACE" --doctor 2>&1 | sed -n 's/^kernel *[^ ]* \([^ ]*\) .*/\1/p') == "$release" ]] ||
		continue # linked statically, or with a sanitizer
	releases=$((releases + 1))
	RELEASE=$release listing env LD_PRELOAD="$PWD/release.so" >got.txt
	cmp -s want.txt got.txt || complain "as $release: $(diff want.txt got.txt | head -n 10)"
done
# the kernel itself says so to this one
if setarch --uname-2.6 true 2>/dev/null; then
	releases=$((releases + 1))
	listing setarch --uname-2.6 >got.txt
	cmp -s want.txt got.txt || complain "as 2.6: $(diff want.txt got.txt | head -n 10)"
fi
[[ $releases != 0 ]] || { echo "nothing changes the release"; exit 77; }
finish
