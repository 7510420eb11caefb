#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make install into a DESTDIR, a program built against what is there, make uninstall.
# @timeout 120
set -e
cd "$SRCDIR"
SAN=; [[ $BUILD == *-san ]] && SAN=1
[[ $BUILD == "$SRCDIR"/build* ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
command -v pkg-config >/dev/null || { echo "skip: no pkg-config"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
D=$TMPDIR/root
make -s install DESTDIR="$D" prefix=/opt/dt SAN=$SAN WERROR=1

for f in sbin/dtrace lib/libdtrace.so lib/libdtrace.so.0 lib/libdtrace.a lib/pkgconfig/libdtrace.pc include/dtrace.h include/dtrace/dtrace.h include/dtrace/data.h; do
	[[ -e $D/opt/dt/$f ]] || { echo "$f was not installed"; exit 1; }
done

cat >"$TMPDIR/t.c" <<'C'
#include <dtrace/dtrace.h>
int main(void)
{
	struct dtrace *d = dtrace_session_open();
	int bad = !d || dtrace_option_set(d, "nosuchoption", "1") == 0;

	printf("%s\n", dtrace_version());
	dtrace_session_close(d);
	return bad;
}
C
export PKG_CONFIG_PATH=$D/opt/dt/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$D
san=${SAN:+-fsanitize=address,undefined}
# shellcheck disable=SC2046
cc $san -Wall -Werror -o "$TMPDIR/t" "$TMPDIR/t.c" $(pkg-config --cflags --libs libdtrace)
version=$(LD_LIBRARY_PATH=$D/opt/dt/lib "$TMPDIR/t")
[[ $version == $(pkg-config --modversion libdtrace) ]] || { echo "libdtrace.so says version $version"; exit 1; }
# against the archive alone; the other libraries are the system's, not under DESTDIR
# shellcheck disable=SC2046
cc $san -Wall -Werror -o "$TMPDIR/ts" "$TMPDIR/t.c" $(pkg-config --cflags libdtrace) "$D/opt/dt/lib/libdtrace.a" -lbpf -lelf -ldw -lz -llzma -liberty
[[ $("$TMPDIR/ts") == "$version" ]] || { echo "libdtrace.a differs"; exit 1; }
# what examples/ says about itself
# shellcheck disable=SC2046
cc $san -Wall -Werror -o "$TMPDIR/syscalls" examples/syscalls.c $(pkg-config --cflags --libs libdtrace)
# shellcheck disable=SC2046
cc $san -Wall -Werror -o "$TMPDIR/classic" examples/classic.c $(pkg-config --cflags --libs libdtrace)
if [[ $(id -u) == 0 ]]; then
	LD_LIBRARY_PATH=$D/opt/dt/lib "$TMPDIR/syscalls" "$BUILD/tests/live/triggers/calls getppid 7" 2>/dev/null |
		grep -qx ' *7 getppid' || { echo "examples/syscalls does not count"; exit 1; }
	LD_LIBRARY_PATH=$D/opt/dt/lib "$TMPDIR/classic" "$BUILD/tests/live/triggers/calls" getppid 7 >"$TMPDIR/classic.out"
	for line in 'tracing process [0-9]+' 'done' ' *7 getppid'; do
		grep -qxE "$line" "$TMPDIR/classic.out" || { echo "examples/classic does not print $line"; exit 1; }
	done
	if LD_LIBRARY_PATH=$D/opt/dt/lib "$TMPDIR/classic" /no/such/program 2>"$TMPDIR/err"; then echo "examples/classic does not fail"; exit 1; fi
	grep -q 'cannot start the command: .*No such file' "$TMPDIR/err" || { cat "$TMPDIR/err"; exit 1; }
fi

# each header by itself and both together, in C and in C++
for use in dtrace.h dtrace/dtrace.h dtrace/data.h "dtrace.h dtrace/dtrace.h" "dtrace/dtrace.h dtrace.h"; do
	printf '#include <%s>\n' $use >"$TMPDIR/h.c"
	for lang in "c -std=c99" "c -std=gnu17" "c++ -std=c++11" "c++ -std=c++20"; do
		# shellcheck disable=SC2046,SC2086
		cc -Wall -Wextra -Werror -pedantic -fsyntax-only -x $lang $(pkg-config --cflags libdtrace) "$TMPDIR/h.c" ||
			{ echo "$use as $lang"; exit 1; }
	done
done

make -s uninstall DESTDIR="$D" prefix=/opt/dt SAN=$SAN
left=$(find "$D" -not -type d)
[[ -z $left ]] || { echo "left by uninstall: $left"; exit 1; }
