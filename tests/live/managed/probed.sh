#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# jstack() knows Ruby and PHP whose code has probes: what it recognises them by is read from their files, not from memory with
# breakpoints.
# @needs cc
# @timeout 60
set -u
. "$SRCDIR/tests/live/cli/lib.sh"
# without uprobe.multi thousands of places come and go there one by one, for too long
[[ -z ${DTRACE_VM-} ]] || "$DTRACE" --doctor | grep -qE '^uprobe_multi +ok' || { echo "not in the virtual machine: it attaches one by one"; exit 77; }
cat >busy.rb <<'END'
def spin_leaf
  x = 0
  2000.times { |i| x = (x + i * i) % 1000003 }
  x
end
spin_leaf
puts "ready"
$stdout.flush
loop { spin_leaf }
END
cat >busy.php <<'END'
<?php
function spin_leaf() {
	$x = 0;
	for ($i = 0; $i < 2000; $i++)
		$x = ($x + $i * $i) % 1000003;
	return $x;
}
spin_leaf();
echo "ready\n";
while (true)
	spin_leaf();
END

# probed COMMAND FILE MODULE FUNCTION...: places on each instruction of the functions, then stacks
probed() {
	local command=$1 file=$2 module=$3 f places=()
	shift 3
	command -v "$command" >/dev/null || return
	for f; do places+=("pid\$target:$module:$f:"); done
	# the places are there first: a dtrace of its own, which says so
	"$command" "$file" >ready.txt &
	busy=$!
	until [[ -s ready.txt ]]; do kill -0 $busy || break; sleep 0.05; done
	"$DTRACE" -qn "$(IFS=,; echo "${places[*]}")"' { } BEGIN { printf("placed\n"); }' -p $busy >placed.txt 2>&1 &
	placer=$!
	until grep -qs placed placed.txt; do kill -0 $placer || { cat placed.txt; break; }; sleep 0.05; done
	# until one has the name: a slow machine first reads the tables of the interpreter, and stacks are cut until then
	"$DTRACE" -qn 'profile-97 /pid == $1/ { @[jstack()] = count(); } tick-1s { printa(@); }' $busy >stacks.txt 2>errors.txt &
	tracer=$!
	until grep -q spin_leaf stacks.txt; do kill -0 $tracer || break; sleep 0.2; done
	kill $tracer $placer
	wait $tracer $placer
	kill $busy
	wait $busy 2>/dev/null
	expect_text "stderr for $command" "$(grep -v "printa( ) were late" errors.txt)" ""
	grep -q spin_leaf stacks.txt || complain "stacks of $command do not have spin_leaf: $(head -n 60 stacks.txt)"
}
probed ruby3.1 busy.rb 'libruby-3.1.so*' rb_profile_frames rb_iseq_label rb_iseq_first_lineno rb_iseq_path
probed php8.2 busy.php php8.2 execute_ex
[[ ${busy-} ]] || { echo "needs ruby3.1 or php8.2"; exit 77; }
finish
