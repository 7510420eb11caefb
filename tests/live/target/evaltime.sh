#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Option evaltime: where a created process is held, for programs of every kind; what its initialisers do meanwhile does
# not suffer.
# @vm no: the kernel makes no difference, and it takes long there
# @ref options 4 evaltime
# @ref cli 5 c-stopped-before-main begin-before-child
set -u
. "${0%/*}/../cli/lib.sh"

programs=$BUILD/tests/live/target

seen='int loads, early, late;
rawtp:::sys_enter
/pid == $target/
{
	loads += arg1 == 257;	/* openat(2) */
	early += arg1 == 111;	/* getpgrp(2) */
	late += arg1 == 110;	/* getppid(2) */
}
END { printf("%s%s%d", loads ? "loads " : "", early ? "early " : "", late); }'

# dynamic programs: the linker, then the constructor, then main()
for kind in stages stages_nopie stages_stripped stages_nopie_stripped; do
	for row in "exec|loads early 2" "preinit|early 2" "postinit|2" "main|2"; do
		try "$DTRACE" -x evaltime="${row%|*}" -qn "$seen" -c "$programs/$kind"
		expect_text "$kind, ${row%|*}" "$out$err" "${row#*|}"$'\n'
	done
done
# static ones have no linker
for kind in stages_static stages_static_pie stages_static_stripped; do
	for row in "exec|early 2" "preinit|early 2" "postinit|2" "main|2"; do
		try "$DTRACE" -x evaltime="${row%|*}" -qn "$seen" -c "$programs/$kind"
		expect_text "$kind, ${row%|*}" "$out$err" "${row#*|}"$'\n'
	done
done
# 32-bit ones
if "$programs/stages_32"; then
	for row in "exec|1 2" "preinit|1 2" "postinit|0 2" "main|0 2"; do
		try "$DTRACE" -x evaltime="${row%|*}" -qn 'int early, late; rawtp:::sys_enter /pid == $target/ { early += arg1 == 65; late += arg1 == 64; }
			END { printf("%d %d", early, late); }' -c "$programs/stages_32"
		expect_text "stages_32, ${row%|*}" "$out$err" "${row#*|}"$'\n'
	done
fi

# the default is postinit; a script is what interprets it
try "$DTRACE" -qn "$seen" -c "$programs/stages"
expect_text default "$out$err" 2$'\n'
printf '#!%s\n' "$programs/stages" >script
chmod +x script
for row in "exec|loads early 2" "postinit|2"; do
	try "$DTRACE" -x evaltime="${row%|*}" -qn "$seen" -c ./script
	expect_text "script, ${row%|*}" "$out$err" "${row#*|}"$'\n'
done

# children of initialisers run as if nobody held their parent; a program that another takes the place of is held in that
for how in fork spawn thread exec; do
	for when in exec preinit postinit main; do
		for kind in stages stages_stripped; do
			try "$DTRACE" -x evaltime=$when -n END -c "$programs/$kind $how"
			expect_status 0
			expect_match "$kind $how, $when" "$err" $'\ndtrace: pid [0-9]+ has exited\n$'
		done
	done
done
try "$DTRACE" -qn "$seen" -c "$programs/stages exec"
expect_text "exec of an initialiser" "$out$err" 2$'\n'

# one that never comes to main() is not waited for
try "$DTRACE" -n END -x setenv=LD_PRELOAD= -x setenv=LD_TRACE_LOADED_OBJECTS=1 -c "$programs/stages"
expect_status 0
expect_match stderr "$err" $'\ndtrace: pid [0-9]+ has exited\n$'

finish
