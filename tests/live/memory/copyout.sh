#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# copyout() and copyoutstr() write the process' memory: from scratch memory, the kernel and D variables, as many bytes as they
# are told; what cannot be read or written faults with its address.  Without -w they are refused.
# @ref d-builtins 3.1 copyout copyoutstr
# @ref d-builtins 2 destructive-refused
# @ref d-language 22.1 badaddr
# @ref d-language 22.2 arg5-value
set -u
# only a kernel that isn't locked down, or doesn't say, need know how; the others are told so in one line
lockdown=$(cat /sys/kernel/security/lockdown 2>/dev/null)
if [[ $lockdown != *'[none]'* ]] && ! "$DTRACE" -w -qn 'BEGIN { copyoutstr("x", 0, 2); } ERROR { exit(0); }' >out 2>err; then
	[[ $(wc -l <err) == 1 && $(<err) == *copyout* ]] || { cat err; exit 1; }
	echo "skip: this kernel's lockdown forbids writing the memory of processes"
	exit 77
fi
cat >w.d <<'E2'
#pragma D option quiet

string text;
int a[2];

BEGIN { text = "variable"; a[1] = 0x44434241; longest = 64; }

syscall::getppid:entry
/pid == $target && arg1 == 0/
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a';
	this->p[1] = 'b';
	this->p[2] = 'c';
	copyout(this->p, arg0, 2);
	copyout(this->p + 1, arg0 + 30, 2);
}
syscall::getppid:entry
/pid == $target && arg1 == 1/
{
	copyout(curthread->comm, arg0, 7);
	copyout(&a[1], arg0 + 10, 4);
	copyout("literal", arg0 + 20, 4);
}
syscall::getppid:entry
/pid == $target && arg1 == 2/
{
	copyoutstr("string", arg0, 16);
	copyoutstr(text, arg0 + 10, 4);
	copyoutstr(strjoin(text, "s"), arg0 + 20, longest);
}
syscall::getppid:entry
/pid == $target && arg1 == 3/
{
	copyoutstr("", arg0, 5);
	copyoutstr("not at all", arg0 + 4, 0);
	n = 0;
	copyout("not at all", arg0 + 4, n);
	copyoutstr(execname, arg0 + 8, 100000);
}
syscall::getppid:entry
/pid == $target && arg1 == 4/
{
	copyout((void *)8, arg0, 4);
}
syscall::getppid:entry
/pid == $target && arg1 == 5/
{
	copyout("x", 16, 1);
}
syscall::getppid:entry
/pid == $target && arg1 == 5/
{
	copyoutstr("x", 24, 2);
}
syscall::getppid:entry
/pid == $target && arg1 == 6/
{
	copyoutstr((string)NULL, arg0, 4);
}
syscall::getppid:entry
/pid == $target && arg1 == 7/
{
	at = arg0;
	copyoutstr("changed", arg0, 8);
}
ERROR
{
	printf("clause %d code %d value %s%d\n", arg2, arg4, at && arg5 == at ? "its address " : "", at && arg5 == at ? 0 : arg5);
}
E2
cat >expected <<'E2'
0 ab............................bc
1 written...ABCD......lite........
2 string0...vari......variables0..
3 0.......written0................
4 ................................
5 ................................
6 ................................
7 ................................
constant
clause 5 code 1 value 8
clause 6 code 1 value 16
clause 7 code 1 value 24
clause 8 code 1 value 0
clause 9 code 1 value its address 0
E2
"$DTRACE" -w -s w.d -o traced -c "$BUILD/tests/live/memory/written" >printed 2>err || { cat err; exit 1; }
cat printed traced | sed '/^$/d' | grep -v '^dtrace: ' >got
diff expected got || { cat err; exit 1; }
"$DTRACE" -s w.d -c "$BUILD/tests/live/memory/written" >out 2>err && { echo "not refused without -w"; exit 1; }
grep -q 'Destructive actions not allowed' err || { cat err; exit 1; }
