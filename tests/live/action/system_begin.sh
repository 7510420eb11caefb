#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A command that system() starts in BEGIN is traced, and other probes fire while it runs; what BEGIN did before it, such as
# clear(), is done before they fire.
# @ref d-builtins 4 system; output 15 system-synchronous
set -u
. "${0%/*}/../cli/lib.sh"

cp "$(type -P true)" begun
try "$DTRACE" -wqn 'BEGIN { system("./begun; ./begun"); } proc:::exec-success /execname == "begun"/ { @ = count(); n++; }
	tick-100ms /n == 2 || ++ticks > 100/ { exit(0); } END { printa("%@d runs\n", @); }'
expect_status 0
expect_out $'2 runs\n\n'

# the tick comes during the command's second
try "$DTRACE" -wqn 'BEGIN { t = timestamp; system("sleep 1"); }
	tick-100ms { printf("%s\n", timestamp - t < 900000000 ? "while it runs" : "after it"); exit(0); }'
expect_status 0
expect_out $'while it runs\n\n'

try "$DTRACE" -wqn 'BEGIN { @ = count(); clear(@); system("./begun"); }
	proc:::exec-success /execname == "begun"/ { @ = count(); n++; }
	tick-100ms /n == 1 || ++ticks > 100/ { exit(0); } END { printa("%@d\n", @); }'
expect_status 0
expect_out $'1\n\n'

# exit() while the command runs is not forgotten
try "$DTRACE" -wqn 'BEGIN { system("sleep 0.3"); } tick-100ms { n++; exit(n); }'
expect_status 1
finish
