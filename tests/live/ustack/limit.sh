#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tables that don't fit unwindsize: one message that names the option, and stacks that go on by what there is.
# @ref output 6 user-frame
# @needs gdb
# @vm no: the kernel makes no difference
gdb=$(readlink -f "$(command -v gdb)")
for size in 1m 64m; do
	"$DTRACE" -x unwindsize=$size -qn 'syscall::write:entry /pid == $target/ { @n[ustackdepth > 0] = count(); }' \
		-c "$gdb -nx -batch -ex help" >"$TMPDIR/out.$size" 2>"$TMPDIR/err.$size" || exit 1
	grep -cF "reached ${size%m} MB (option unwindsize)" "$TMPDIR/err.$size"
	grep -E '^ +[01] +[0-9]+$' "$TMPDIR/out.$size" | awk '{ print $1 }'
done >"$TMPDIR/all"
diff - "$TMPDIR/all" <<'EOT'
1
1
0
1
EOT
