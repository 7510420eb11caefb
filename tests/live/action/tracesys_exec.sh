#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tracesys() shows a successful execve(2) with the new image's path and arguments; a call that has no result yet with "?",
# in any probe; and it is a string in JSON.
cat > run.sh <<'EOF'
#!/bin/sh
/bin/echo "a b" c
EOF
chmod +x run.sh

run() { # ARGS
	rm -f out
	"$DTRACE" "$@" -c ./run.sh -o out 2>err >stdout || { cat err; exit 1; }
}
run -q -n 'syscall::execve:return /progenyof($target)/ { tracesys(); printf("\n"); }'
grep -qx 'execve("/bin/echo", \["/bin/echo", "a b", "c"\], \.\.\.) *= 0' out || { echo "execve:"; cat out; exit 1; }

run -q -n 'syscall::write:entry /progenyof($target) && execname == "echo"/ { tracesys(3); printf("\n"); }'
grep -qx 'write(1, "a b"\.\.\., 6) *= ?' out || { echo "entry:"; cat out; exit 1; }

run -q -n 'sched:::off-cpu /progenyof($target) && execname == "run.sh"/ { tracesys(); printf("\n"); }'
grep -qx 'vfork() *= ?' out || { echo "off-cpu:"; cat out; exit 1; }

run --output=json -q -n 'syscall::write:return /progenyof($target) && execname == "echo"/ { tracesys(); }'
grep -q '"write(1, \\"a b c\\\\n\\", 6) *= 6"' out stdout || { echo "JSON:"; cat out stdout; exit 1; }
