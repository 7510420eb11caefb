#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make, then make install with another prefix: the command and the library find the D libraries, a program can be built
# against what is installed, and make uninstall removes all of it.
# @timeout 180
set -e
cd "$SRCDIR"
SAN=; [[ $BUILD == *-san ]] && SAN=1
[[ $BUILD == "$SRCDIR"/build* ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
command -v pkg-config >/dev/null || { echo "skip: no pkg-config"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
D=$TMPDIR/root
make -s install DESTDIR="$D" prefix=/opt/dt SAN=$SAN WERROR=1

for f in sbin/dtrace lib/libdtrace.so lib/libdtrace.so.0 lib/libdtrace.a lib/pkgconfig/libdtrace.pc include/dtrace.h include/dtrace/dtrace.h include/dtrace/data.h \
	share/bash-completion/completions/dtrace share/zsh/site-functions/_dtrace share/fish/vendor_completions.d/dtrace.fish \
	share/man/man5/dtrace.conf.5 share/man/man8/dtrace.8 share/man/man8/dtrace-tools.8 share/man/man7/d.7 share/man/man7/dtrace-providers.7 share/man/man3/libdtrace.3 lib/systemd/system/dtrace@.service lib/systemd/system/dtrace-agent.service; do
	[[ -e $D/opt/dt/$f ]] || { echo "$f was not installed"; exit 1; }
done

for f in tools/*.d; do
	[[ -x $D/opt/dt/share/dtrace/$f ]] || { echo "$f was not installed"; exit 1; }
	[[ $(head -n 1 "$D/opt/dt/share/dtrace/$f") == '#!/opt/dt/sbin/dtrace -s' ]] || { echo "$f does not begin with the command's path"; exit 1; }
done
grep -q '^ExecStart=/opt/dt/sbin/dtrace ' "$D/opt/dt/lib/systemd/system/dtrace@.service" || { echo "the unit starts another program"; exit 1; }
grep -qx 'ExecStart=/opt/dt/sbin/dtrace --agent' "$D/opt/dt/lib/systemd/system/dtrace-agent.service" || { echo "the agent's unit starts another program"; exit 1; }

# ---- it was built for another prefix: what was installed finds its D libraries by where it is

program='BEGIN { printf("%d %d\n", curpsinfo->pr_pid == pid, ENOENT); exit(0); }'
finds_libraries() { # PREFIX
	local got
	[[ $(id -u) == 0 ]] || return 0
	got=$("$1/sbin/dtrace" -qn "$program" 2>&1) || true
	[[ $got == '1 2' ]] || { echo "$1/sbin/dtrace prints: $got"; exit 1; }
}
installed() { make -s "$1" DESTDIR="$D" SAN=$SAN WERROR=1 "${@:2}"; }

finds_libraries "$D/opt/dt"
mv "$D/opt/dt" "$D/opt/moved"
finds_libraries "$D/opt/moved"
# called by a link, from another folder
ln -s "$D/opt/moved/sbin/dtrace" "$TMPDIR/link"
[[ $(id -u) != 0 || $(cd / && "$TMPDIR/link" -qn "$program" 2>&1) == '1 2' ]] || { echo "not by a link"; exit 1; }
mv "$D/opt/moved" "$D/opt/dt"

for folder in lib64 "lib/$(cc -print-multiarch)"; do
	installed install prefix=/usr libdir="/usr/$folder"
	[[ -e $D/usr/$folder/dtrace/errno.d ]] || { echo "no libraries in $folder"; exit 1; }
	finds_libraries "$D/usr"
	if [[ $(id -u) == 0 ]]; then
		mv "$D/usr/$folder/dtrace" "$D/usr/hidden"
		# neither may the machine have one that was installed before
		if [[ ! -e /usr/local/lib/dtrace ]]; then
			"$D/usr/sbin/dtrace" -qn "$program" >"$TMPDIR/out" 2>&1 && { echo "compiles without libraries"; exit 1; }
			grep -qF "dtrace: cannot read the D libraries in $D/usr/lib" "$TMPDIR/out" &&
				grep -qF ', /usr/local/lib/dtrace: No such file or directory' "$TMPDIR/out" ||
				{ echo "no message names the folder:"; cat "$TMPDIR/out"; exit 1; }
		fi
		mv "$D/usr/hidden" "$D/usr/$folder/dtrace"
	fi
	installed uninstall prefix=/usr libdir="/usr/$folder"
done

# no program is in it
[[ $(stat -c %a "$D"/opt/dt/lib/libdtrace.so.*.*) == 644 ]] || { echo "libdtrace.so is executable"; exit 1; }
# CPPFLAGS, CFLAGS and LDFLAGS reach the compiler
make -Bn V=1 CPPFLAGS=-DFROM_CPPFLAGS CFLAGS=-DFROM_CFLAGS LDFLAGS=-Wl,-zfrom "$(realpath --relative-to=. "$BUILD")/dtrace" SAN=$SAN >"$TMPDIR/commands"
grep -q -- '-DFROM_CPPFLAGS.* -c -o [^ ]*/src/base/arena.o' "$TMPDIR/commands" || { echo "CPPFLAGS are ignored"; exit 1; }
grep -q -- '-DFROM_CFLAGS.* -c -o [^ ]*/src/base/arena.o' "$TMPDIR/commands" || { echo "CFLAGS are ignored"; exit 1; }
grep -q -- '-DFROM_CFLAGS.* -Wl,-zfrom.* -o [^ ]*/dtrace ' "$TMPDIR/commands" || { echo "LDFLAGS are ignored"; exit 1; }

# ---- a program of another's

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
if [[ $(id -u) == 0 ]]; then
	cat >"$TMPDIR/lib.c" <<'C'
#include <dtrace/dtrace.h>
int main(void)
{
	struct dtrace *d = dtrace_session_open();
	struct dtrace_prog *p = d ? dtrace_compile_string(d, "BEGIN { trace(curpsinfo->pr_psargs); }", DTRACE_SPEC_NAME) : NULL;

	puts(!d ? "no session" : p ? "compiled" : dtrace_session_error(d));
	if (d)
		dtrace_session_close(d);
	return 0;
}
C
	# shellcheck disable=SC2046
	cc $san -Wall -Werror -o "$TMPDIR/lib" "$TMPDIR/lib.c" $(pkg-config --cflags --libs libdtrace)
	mv "$D/opt/dt" "$D/opt/moved"
	got=$(cd "$D/opt" && LD_LIBRARY_PATH=moved/lib "$TMPDIR/lib")
	mv "$D/opt/moved" "$D/opt/dt"
	[[ $got == compiled ]] || { echo "with libdtrace.so: $got"; exit 1; }
fi
# against the archive alone; the other libraries are the system's, not under DESTDIR
# shellcheck disable=SC2046
cc $san -Wall -Werror -o "$TMPDIR/ts" "$TMPDIR/t.c" $(pkg-config --cflags libdtrace) "$D/opt/dt/lib/libdtrace.a" \
	$(sed -n 's/^Libs.private: //p' "$PKG_CONFIG_PATH/libdtrace.pc")
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
