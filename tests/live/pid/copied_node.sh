#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# @needs node php
# node --use-largepages=on and PHP with opcache.huge_code_pages=1, which copy their code when they begin: refused by name,
# and left out with option hold while pid* is traced; the same programs without the option are traced.
# @alone
set -u
. "${0%/*}/copied.inc"

# NAME FILE FUNCTIONS WHY OPTIONS: the program prints 7 with the code that follows the options
copies() {
	local name=$1 file=$2 functions=$3 why=$4 status
	shift 4
	what="$name by its number"
	try "$DTRACE" -qn "pid\$target:a.out:$functions:entry" -c "$* $code"
	expect_status 1
	expect_match stderr "$err" "process [0-9]+ \(.*\) copies its code \($why\): a probe in .* would end it"
	try "$DTRACE" -qn "pid\$target:libc.so.6:write:entry { @ = count(); }" -c "$* $code"
	expect_status 0

	what="$name that comes, with option hold"
	trace -x hold=exec -n "pid*:$file:$functions:entry { @[pid] = count(); } END { printa(\"%d\\n\", @); }"
	# it runs until it has been looked at
	rm -f input && mkfifo input
	"$@" $code <input >seven.txt 2>seven.err &
	pid=$!
	started+=("$pid")
	exec 9>input
	until_true grep -q "process $pid (.*) copies its code ($why): it is not traced" trace.err
	exec 9>&-
	status=0
	wait $pid || status=$?
	[[ $status == 0 && $(cat seven.txt) == 7 ]] || complain "it ended with $status: $(cat seven.txt seven.err)"
	end_trace
	expect_text firings "$(traced)" ""
}

# SOURCE PROGRAM...: does the program move its code here?
moves() {
	"${@:2}" "$1" >maps.txt && awk -v f="$file" '$NF == f { if (anon) found = 1; seen = 1; next }
		{ anon = seen && $2 ~ /x/ && $1 !~ /^7/ } END { exit !found }' maps.txt
}

tried=0
file=$(readlink -f "$(command -v node)")
echo 'console.log(require("fs").readFileSync("/proc/self/maps", "utf8"))' >maps.js
if moves maps.js node --use-largepages=on; then
	tried=1
	echo 'console.log(7); process.stdin.resume()' >seven.js
	code=seven.js copies node "$file" '*Isolate*Initialize*' --use-largepages node --use-largepages=on
fi
file=$(readlink -f "$(command -v php)")
echo '<?php readfile("/proc/self/maps");' >maps.php
php=(php -d opcache.enable_cli=1 -d opcache.huge_code_pages=1)
if moves maps.php "${php[@]}"; then
	tried=1
	echo '<?php echo 7; fgets(STDIN);' >seven.php
	code=seven.php copies PHP "$file" 'zend_hash*' opcache.huge_code_pages "${php[@]}"
fi
[[ $tried == 1 ]] || { echo "neither node nor PHP moves its code here (no transparent huge pages)"; exit 77; }
finish
