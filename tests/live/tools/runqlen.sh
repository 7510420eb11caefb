#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# runqlen samples each CPU 99 times a second; where three processes share one CPU, it sees two or more that wait.
# @alone
. "${0%/*}/lib.sh"

spin one 0
spin two 0
spin three 0
tool runqlen -a -d 2 --output=json:out.json
expect_status 0
# a CPU that nobody uses may be one that the kernel hides
err=$(sed '/ missed firings on CPUs that were idle/d' <<<"$err")
expect_text "stderr" "$err" ""
queue() { # CPU CONDITION
	jq -s --arg cpu "$1" "[.. | .rows? // empty | .[] | select(.keys?[0].value == \$cpu) | .values[0].buckets[] | $2 | .count] | add // 0" out.json
}
samples=$(queue "CPU 0" .) long=$(queue "CPU 0" 'select(.low >= 2)')
# a process is charged for more than the others now and then; the first samples may come before the three run
expect_between "samples of CPU 0" "$samples" 120 240
expect_between "samples with two that wait" "$long" $((samples * 3 / 4)) "$samples"
# the thread that runs does not wait
waiting=$(jq -s '[.. | .rows? // empty | .[] | .values[0].buckets? // empty | .[] | select(.low >= 1) | .count] | add // 0' out.json)
expect_text "samples with threads that wait" "$waiting" \
	"$(jq -s '[.. | select(.aggregations?[0].name? == "queued") | .rows[].values[0].value] | add' out.json)"
tool runqlen -d 1 -i 1
expect_match stdout "$out" '
20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}

  all CPUs +
 +value  -+ Distribution -+ count.*
samples [0-9]+, CPU in use [0-9]+, threads waiting [0-9]+
'
tool runqlen -h
expect_match stdout "$out" '^runqlen: '
finish
