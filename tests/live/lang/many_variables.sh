#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 1,000 global variables and 1,000 thread-local ones of many types, strings among them: the
# thread-local ones need more than a value of task storage may have, so they take several.
# @timeout 60
# @ref d-language 8.2 many-variables
. "$SRCDIR/tests/live/buffers/lib.sh"

for scope in "" self-\>; do
	awk -v v="$scope" 'BEGIN {
		split("int|char|string|int64_t|struct p|short|void *|uint8_t|int[3]|struct p *", types, "|")
		print "struct p { int a; int64_t b; }; this struct p t;"
		for (i = 0; i < 1000; i++) {
			k = i % 10 + 1
			type = k == 9 ? "int v" i "[3]" : types[k] " v" i
			print (v ? "self " : "") type ";"
			x = v "v" i
			if (i % 50 == 0) {
				sets = sets "} syscall::getppid:entry /pid == $target/ {\n"
				gets = gets "} syscall::getppid:return /pid == $target/ {\n"
			}
			sets = sets (k == 3 ? x " = \"s" i "\"" : k == 5 ? "this->t.b = " i "; " x " = this->t" : \
				k == 7 ? x " = (void *)" i : k == 10 ? x " = (struct p *)" i : k == 9 ? x "[2] = " i : x " = " i % 100) ";\n"
			get = k == 5 ? x ".b" : k == 7 || k == 10 ? "(int64_t)" x : k == 9 ? x "[2]" : x
			gets = gets "printf(\"" i " %" (k == 3 ? "s" : "d") "\\n\", " get ");\n"
			print i, (k == 3 ? "s" i : k == 5 || k == 7 || k >= 9 ? i : i % 100) >"expected.txt"
		}
		print "syscall::getppid:entry /pid == $target/ {" sets gets "}"
	}' >many.d
	run -s many.d -c "$triggers/calls getppid 1"
	quiet "${scope}variables"
	diff expected.txt <(grep -v '^$' out.txt) >diff.txt || complain "${scope}variables: $(head -10 diff.txt)"
done

# Of two threads each has its own.
# Linux 7.2 has room for an eighth (docs/LIMITS.md)
n=1000 room=1040000
"$DTRACE" -x strsize=40k -e -n 'self string s; BEGIN { self->s = "s"; }' 2>/dev/null || n=400 room=128000
awk -v n=$n 'BEGIN {
	print "syscall::getppid:entry /pid == $target/ {"
	for (i = 0; i < n; i++)
		print "self string v" i ";" >"strings.d"
	for (i = 0; i < n; i += 10)
		print "self->v" i " = arg0 ? \"one\" : \"two\";"
	print "}"
	for (i = 0; i < n; i += 100)
		print "syscall::getppid:return /pid == $target/ { @[self->v" i "] = count(); }"
}' >code.d
cat code.d >>strings.d
run -s strings.d -c "$triggers/values spread 2 10"
quiet "of threads"
expect "two threads" "$(awk 'NF == 2 { print $1, $2 }' out.txt | sort | tr '\n' ' ')" "one $((n / 10)) two $((n / 10)) "

# What no kernel takes is said at once.
awk 'BEGIN { for (i = 0; i < 1000; i++) print "self string v" i ";" ; print "BEGIN { self->v1 = \"x\"; exit(0); }" }' >too.d
try -x strsize=2k -s too.d
expect "too many" "$status" 1
grep -q "thread-local variables need more than $room bytes a thread" err.txt || complain "$(<err.txt)"
exit $bad
