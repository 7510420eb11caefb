#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Of what a library of the system's defines more than once, the first that compiles on this kernel counts: constants,
# functions, translators and their members.  What does not compile is left out, and is an error in a user's library.
# @ref d-language 18.1 libraries
# @ref providers 18.7
[[ $(id -u) == 0 ]] || { echo "tracing needs root"; exit 77; }
mkdir sys
cat >sys/a.d <<'EOF'
inline size_t WHERE = offsetof(struct task_struct, no_such_member);
inline size_t WHERE = 77;
inline size_t WHERE = 78;
int number(struct task_struct *t) { return t->no_such_member; }
int number(struct task_struct *t) { return 5; }
typedef struct facts { int pid; string name; int other; int none; } facts_t;
translator facts_t < struct no_such_struct *t > { pid = t->pid; };
translator facts_t < struct task_struct *t > {
	pid = t->tgid;
	pid = 7;
	name = 5;
	name = t->no_such_member.name;
	name = stringof(t->comm);
	other = number(t->no_such_member);
	other = number(t) + WHERE;
	none = t->no_such_member;
};
translator facts_t < struct task_struct *t > { pid = 8; };
EOF
status=0

is() { # EXPECTED ACTUAL
	[[ $2 == "$1" ]] && return
	printf 'not %s but %s\n' "$1" "$2"
	status=1
}

is "1 dtrace 82 77" "$("$DTRACE" -x syslibdir=sys -qn 'BEGIN {
	this->t = xlate <facts_t *>(curthread)->pid == pid;
	printf("%d %s %d %d", this->t, xlate <facts_t *>(curthread)->name, xlate <facts_t *>(curthread)->other, WHERE);
	exit(0); }' 2>&1)"
is "1 dtrace 82 0" "$("$DTRACE" -x syslibdir=sys -qn 'facts_t f; BEGIN {
	f = xlate <facts_t>(curthread);
	printf("%d %s %d %d", f.pid == pid, f.name, f.other, f.none);
	exit(0); }' 2>&1)"
is "D_XLATE_NOCONV" "$("$DTRACE" -x syslibdir=sys -x errtags -en 'BEGIN { trace(xlate <facts_t *>(curthread)->none); }' 2>&1 |
	grep -o 'D_[A-Z_]*')"
mkdir none
is "D_TYPE_MEMBER" "$("$DTRACE" -x syslibdir=none -L sys -x errtags -en 'BEGIN { trace(WHERE); }' 2>&1 |
	grep -o 'D_[A-Z_]*' | head -n 1)"
exit $status
