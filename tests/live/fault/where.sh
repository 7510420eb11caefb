#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A fault's message ends in its place in the program; with explain the source line and a caret follow once, and at the
# end how often each place faulted; JSON has file, line, column and expression, and of a definition its own.
# @ref d-language 22.3 place place-of-use place-file place-explained
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# What each message says after the probe; offsets of members are the kernel's.
places() {
	sed -nE 's/\(0x[0-9a-f]{3,}\)/(OFFSET)/; s/^dtrace: error in (dt_clause_[0-9]+) .*:[A-Z]+\): (.*)$/\1 \2/p' err.txt
}

# each kind of place; what a definition does is a fault where it is used
cat >all.d <<'D'
int empty[int];
inline int bad = *(int *)(arg0 + 4);
inline int twice[int *p] = *p + *p;
int quotient(int a, int b)
{
	return a / b;
}
struct out { int o; };
translator struct out < struct task_struct *t > { o = t->tgid; };
BEGIN
/ 1 && *(int *)8 /
{
}
BEGIN { trace("an action"); @[1, 10 / (pid - pid)] = count(); }
BEGIN { @s = sum(10 %
	(pid - pid)); }
BEGIN { x = 1; x = bad; }
BEGIN { x = twice[(int *)16]; }
BEGIN { if (1) { x = 1; x = 3 +
	quotient(quotient(6, 3), pid - pid); } }
BEGIN { this->t = (struct task_struct *)NULL; trace(1);
	trace(xlate <struct out> (this->t).o); }
BEGIN { for (i = 1; i >= 0; i--)
		x = 1 / i; }
BEGIN { x = 0; foreach (k in empty) x++; while (1) x++; }
BEGIN { printf("%d %s %d", 1, stringof((char *)24), 2); }
BEGIN { s = strjoin("a", copyinstr(0)); }
BEGIN { this->p = (int *)alloca(8); this->p[2] = 1; }
BEGIN { empty[1] = 1; empty[3 / (pid - pid)] = 1; }
BEGIN { x /= (pid - pid); }
BEGIN { trace(pid && (pid - pid || 1 / (pid - pid))); }
BEGIN { exit(0); }
END { x = 1; x = *(int *)32; }
D
try "$DTRACE" -qs all.d
expect_status 0
expect_text places "$(places)" 'dt_clause_0 invalid address (0x8) in predicate at line 11
dt_clause_1 divide-by-zero in action #2 at line 14
dt_clause_2 divide-by-zero in action #1 at line 15
dt_clause_3 invalid address (0x4) in action #2 at line 17
dt_clause_4 invalid address (0x10) in action #1 at line 18
dt_clause_5 divide-by-zero in action #1 at line 20
dt_clause_6 invalid address (OFFSET) in action #3 at line 22
dt_clause_7 divide-by-zero in action #1 at line 24
dt_clause_8 loop bound exceeded (1024) in action #3 at line 25
dt_clause_9 invalid address (0x18) in action #1 at line 26
dt_clause_10 invalid address (0x0) in action #1 at line 27
dt_clause_11 invalid address (0x10) in action #2 at line 28
dt_clause_12 divide-by-zero in action #2 at line 29
dt_clause_13 divide-by-zero in action #1 at line 30
dt_clause_14 divide-by-zero in action #1 at line 31
dt_clause_16 invalid address (0x20) in action #2 at line 33'

# an argument faults where it was written
printf 'inline int tenth[int x] = 10 / x;\nBEGIN { trace(tenth[\n\t*(int *)8]); } BEGIN { exit(0); }\n' >argument.d
try "$DTRACE" -qs argument.d
expect_text argument "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at line 3'

# a clause of 300 statements, as others that are cut into parts
{ echo 'int zero, x;'; echo 'BEGIN {'; for i in {1..299}; do echo "x = $i;"; done; echo 'x /= zero; }'; echo 'BEGIN { exit(0); }'; } >long.d
try "$DTRACE" -qs long.d
expect_text long "$(places)" 'dt_clause_0 divide-by-zero in action #300 at line 302'

# command-line programs have lines too; a program of two files, or with an included one, names the file
try "$DTRACE" -qn 'BEGIN { trace(*(int *)8); }' -n 'BEGIN { x = 1; }
	BEGIN { trace(1 / x); trace(1 / (x - x)); } BEGIN { exit(0); }'
expect_text "-n" "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at line 1
dt_clause_2 divide-by-zero in action #2 at line 2'
echo 'BEGIN { trace(*(int *)8); }' >one.d
printf '\n\nBEGIN { trace(*(int *)16); exit(0); } BEGIN { exit(0); }\n' >two.d
try "$DTRACE" -qs one.d -s two.d
expect_text "two scripts" "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at one.d:1
dt_clause_1 invalid address (0x10) in action #1 at two.d:3'
try "$DTRACE" -Cqs one.d -s two.d
expect_text "two scripts with -C" "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at one.d:1
dt_clause_1 invalid address (0x10) in action #1 at two.d:3'
printf '#define WHERE (int *)24\n#include "one.d"\nBEGIN { trace(1);\n trace(*WHERE); } BEGIN { exit(0); }\n' >main.d
try "$DTRACE" -CqI. -s main.d
expect_text include "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at one.d:1
dt_clause_1 invalid address (0x18) in action #2 at main.d:4'
# a header without clauses is no file of the program; nor is a library
printf 'inline int wrong = *(int *)40;\n' >wrong.h
printf '#include "wrong.h"\nBEGIN { trace(wrong); } BEGIN { trace(((psinfo_t *)8)->pr_pid); exit(0); } BEGIN { exit(0); }\n' >main.d
try "$DTRACE" -CqI. -s main.d
expect_text header "$(places)" 'dt_clause_0 invalid address (0x28) in action #1 at line 2
dt_clause_1 invalid address (0x10) in action #1 at line 2'

# a fault in ERROR is counted, and its place is not told
try "$DTRACE" -qn 'BEGIN { trace(*(int *)8); } ERROR { trace(*(int *)16); } BEGIN { exit(0); }'
expect_text ERROR "$(places)" 'dt_clause_0 invalid address (0x8) in action #1 at line 1'

# an action that fails in user space faults at its call, in a speculation and in ERROR too
cat >actions.d <<'D'
void to(string s)
{
	freopen("%s", s);
}
BEGIN { x = 1;
	freopen("no/such"); setopt("nope"); @ = count();
	normalize(@, x - 1); }
BEGIN { if (x) { x++; to("no/such"); to(strjoin("no/",
	"where")); } }
BEGIN { for (i = 0; i < 2; i++) setopt("loop"); trace(*(int *)8); }
BEGIN { self->s = speculation(); speculate(self->s); setopt("speculated"); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }
ERROR { trace(1); setopt("error"); }
D
try "$DTRACE" -wqs actions.d
expect_text actions "$(places)" 'dt_clause_0 couldn'"'"'t freopen() "no/such": No such file or directory in action #2 at line 6
dt_clause_0 couldn'"'"'t set option "nope" to "1": Invalid option name in action #3 at line 6
dt_clause_0 Invalid normalization in action #5 at line 7
dt_clause_1 couldn'"'"'t freopen() "no/such": No such file or directory in action #1 at line 8
dt_clause_1 couldn'"'"'t freopen() "no/where": No such file or directory in action #1 at line 8
dt_clause_2 couldn'"'"'t set option "loop" to "1": Invalid option name in action #1 at line 10
dt_clause_2 couldn'"'"'t set option "loop" to "1": Invalid option name in action #1 at line 10
dt_clause_2 invalid address (0x8) in action #2 at line 10
dt_clause_3 couldn'"'"'t set option "speculated" to "1": Invalid option name in action #3 at line 11
dt_clause_6 couldn'"'"'t set option "error" to "1": Invalid option name in action #2 at line 14'
try "$DTRACE" -x explain -qn 'BEGIN, BEGIN { trace(1); setopt("nope"); } BEGIN { exit(0); }'
expect_text "actions with explain" "$(grep -v '^dtrace: error in' err.txt)" 'BEGIN, BEGIN { trace(1); setopt("nope"); } BEGIN { exit(0); }
                         ^
dtrace: 2 errors at line 1: setopt("nope")'

# with explain: the line and a caret, once a place; a tab and characters of several bytes and columns count as they look
printf 'profile:::tick-100hz /n < 3/\n{\n\tn++; s = "\xc3\xa9\xe4\xb8\xad";\tt = *(int *)8;\n}\ntick-100hz /n == 3/ { trace(1 / (n - n)); }\ntick-100hz /n >= 3/ { exit(0); }\n' >tick.d
try "$DTRACE" -x explain -qs tick.d
message='dtrace: error in dt_clause_0 for probe ID [0-9]+ \(profile:::tick-100hz\): invalid address \(0x8\) in action #3 at line 3'
expect_match "with explain" "$err" "^$message"$'\n        n\\+\\+; s = "é中"; t = \\*\\(int \\*\\)8;\n                            \\^\n'"$message"$'\n'"$message"$'\ndtrace: error in dt_clause_1 .* divide-by-zero in action #1 at line 5\ntick-100hz /n == 3/ \\{ trace\\(1 / \\(n - n\\)\\); \\}\n                              \\^\ndtrace: 3 errors at tick.d:3: \\*\\(int \\*\\)8\n$'
try "$DTRACE" -x explain -qn 'BEGIN, BEGIN { while (1) x++; } BEGIN { exit(0); }'
expect_text "a statement, in two clauses" "$(grep -v '^dtrace: error in' err.txt)" 'BEGIN, BEGIN { while (1) x++; } BEGIN { exit(0); }
               ^
dtrace: 2 errors at line 1'
try "$DTRACE" -x explain=no -qn 'BEGIN { trace(*(int *)8); } BEGIN { exit(0); }'
expect_text "explain=no" "$(grep -c . err.txt)" 1

# JSON
"$DTRACE" -qs all.d --output=json 2>/dev/null | sed -nE '/"error"/ { s/.*"clause":([0-9]+),.*"(action":.*)\}$/\1 "\2/; p }' >json.txt
expect_text JSON "$(sed -E 's/"file":"[a-z/]*pidns.d",//' json.txt)" '0 "action":0,"file":"all.d","line":11,"column":8,"expression":"*(int *)8"
1 "action":2,"file":"all.d","line":14,"column":37,"expression":"10 / (pid - pid)"
2 "action":1,"file":"all.d","line":15,"column":21,"expression":"10 % (pid - pid)"
3 "action":2,"file":"all.d","line":17,"column":20,"expression":"bad","definition":{"file":"all.d","line":2,"column":18,"expression":"*(int *)(arg0 + 4)"}
4 "action":1,"file":"all.d","line":18,"column":18,"expression":"twice[(int *)16]","definition":{"file":"all.d","line":3,"column":28,"expression":"*p"}
5 "action":1,"file":"all.d","line":20,"column":2,"expression":"quotient(quotient(6, 3), pid - pid)","definition":{"file":"all.d","line":6,"column":11,"expression":"a / b"}
6 "action":3,"file":"all.d","line":22,"column":36,"expression":"xlate <struct out> (this->t).o","definition":{"file":"all.d","line":9,"column":56,"expression":"t->tgid"}
7 "action":1,"file":"all.d","line":24,"column":9,"expression":"1 / i"
8 "action":3,"file":"all.d","line":25,"column":42
9 "action":1,"file":"all.d","line":26,"column":31,"expression":"stringof((char *)24)"
10 "action":1,"file":"all.d","line":27,"column":26,"expression":"copyinstr(0)"
11 "action":2,"file":"all.d","line":28,"column":48,"expression":"this->p[2] = 1"
12 "action":2,"file":"all.d","line":29,"column":31,"expression":"3 / (pid - pid)"
13 "action":1,"file":"all.d","line":30,"column":11,"expression":"x /= (pid - pid)"
14 "action":1,"file":"all.d","line":31,"column":38,"expression":"1 / (pid - pid)"
16 "action":2,"file":"all.d","line":33,"column":18,"expression":"*(int *)32"'

"$DTRACE" -wqs actions.d --output=json 2>/dev/null | sed -nE '/"error","id"/ { s/.*"clause":([0-9]+),.*"(action":.*)\}$/\1 "\2/; p }' >json.txt
expect_text "JSON of actions" "$(<json.txt)" '0 "action":3,"file":"actions.d","line":6,"column":22,"expression":"setopt(\"nope\")"
0 "action":5,"file":"actions.d","line":7,"column":2,"expression":"normalize(@, x - 1)"
2 "action":1,"file":"actions.d","line":10,"column":33,"expression":"setopt(\"loop\")"
2 "action":1,"file":"actions.d","line":10,"column":33,"expression":"setopt(\"loop\")"
2 "action":2,"file":"actions.d","line":10,"column":55,"expression":"*(int *)8"
3 "action":3,"file":"actions.d","line":11,"column":54,"expression":"setopt(\"speculated\")"
6 "action":2,"file":"actions.d","line":14,"column":19,"expression":"setopt(\"error\")"'
# the text output alone carries freopen() out
"$DTRACE" -wqs actions.d --output=text --output=json:all.json >/dev/null 2>&1
expect_text "JSON of freopen()" "$(sed -nE '/"code":1000.*freopen/ { s/.*("action":.*)\}$/\1/; p }' all.json)" '"action":2,"file":"actions.d","line":6,"column":2,"expression":"freopen(\"no/such\")"
"action":1,"file":"actions.d","line":8,"column":23,"expression":"to(\"no/such\")","definition":{"file":"actions.d","line":3,"column":2,"expression":"freopen(\"%s\", s)"}
"action":1,"file":"actions.d","line":8,"column":38,"expression":"to(strjoin(\"no/\", \"where\"))","definition":{"file":"actions.d","line":3,"column":2,"expression":"freopen(\"%s\", s)"}'

finish
