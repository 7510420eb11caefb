#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# copyout() and copyoutstr(): bytes and strings into the memory of the process; what can't be written faults.
# @ref d-builtins 3.1 copyout copyoutstr
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
# securityfs need not be mounted
lockdown=$(cat /sys/kernel/security/lockdown 2>/dev/null || unshare -m sh -c \
	'mount -t securityfs none /sys/kernel/security && cat /sys/kernel/security/lockdown' 2>/dev/null)
[[ -z $lockdown || $lockdown == *'[none]'* ]] || { echo "the kernel is locked down: $lockdown"; exit 77; }

"$DTRACE" -wq -c "$BUILD/tests/live/action/copyout" -n '
	syscall::getppid:entry /pid == $target/ {
		copyout("ONE", arg0, 3); copyoutstr("TWO is cut", arg1, 5); copyoutstr("3", arg2, 10); }
	syscall::getppid:entry /pid == $target/ {
		this->p = (int *)alloca(8); this->p[0] = 0x64636261; this->p[1] = 0x68676665; copyout(this->p, arg1 + 5, 8); }
	syscall::getppid:entry /pid == $target/ { copyout("x", 16, 1); printf("not reached\n"); }
	syscall::getppid:entry /pid == $target/ { copyout((void *)NULL, arg0, 4); printf("not reached\n"); }
	syscall::getppid:entry /pid == $target/ { copyoutstr("x", 24, 2); printf("not reached\n"); }
	ERROR { printf("clause %d fault %d at %d\n", arg2, arg4, arg5); }' >out.txt 2>err.txt
bad=0
expect() { # WHAT GOT WANT
	[[ $2 == "$3" ]] || { printf '%s, got:\n%s\nexpected:\n%s\n' "$1" "$2" "$3"; bad=1; }
}
expect buffers "$(grep '^\[' out.txt)" '[ONE: untouched..][TWO iabcdefghd..][3.ree: as it was]'
expect faults "$(grep '^clause' out.txt)" $'clause 2 fault 1 at 16\nclause 3 fault 1 at 0\nclause 4 fault 1 at 24'
! grep -q 'not reached' out.txt || bad=1
expect messages "$(sed -E 's/.*clause_([0-9]).*: (.*)/\1 \2/' err.txt)" \
	$'2 invalid address (0x10) in action #1 at line 6\n3 invalid address (0x0) in action #1 at line 7
4 invalid address (0x18) in action #1 at line 8'
exit $bad
