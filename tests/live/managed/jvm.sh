# SPDX-License-Identifier: Apache-2.0
# For tests of jstack() in Java, which source it:
#
#   jvm_compile		compiles the class on stdin, which NAME.java would have, into $TMPDIR: jvm_compile NAME
#   jvm_start WORDS...	starts java with WORDS; returns when it has said "ready", its process in $jvm
#   jvm_stop		ends it
#   jvm_sample N FILE [D]	takes N samples with jstack() of $jvm, in folded lines, to FILE; D is the predicate's rest
. "$SRCDIR/tests/live/managed/shape.sh"
cd "$TMPDIR" || exit 1
jvm=
trap 'jvm_stop' EXIT
unset JAVA_TOOL_OPTIONS

jvm_compile() {
	cat >"$1.java"
	javac -d . "$1.java" || exit 1
}

jvm_start() {
	: >said
	java -cp . "$@" >said 2>&1 &
	jvm=$!
	for ((i = 0; i < 1200; i++)); do
		grep -q '^ready' said && return 0
		kill -0 "$jvm" 2>/dev/null || break
		sleep 0.1
	done
	echo "java $*: not ready"
	head -20 said
	exit 1
}

jvm_stop() {
	[[ $jvm ]] || return 0
	kill -9 "$jvm" 2>/dev/null
	rm -f "/tmp/.java_pid$jvm" # a VM that is killed leaves its socket
	wait "$jvm" 2>/dev/null
	jvm=
}

jvm_sample() { sample "$jvm" "$@"; }
