#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -v: stability reports when tracing and with -e.
# @vm no: the command line, the kernel has no part in it
# @ref d-language 19 report probe-report curthread dtrace-provider minimum default-stable
# @ref cli 2 v
# @ref cli 4.3 layout after-each-notice with-e common-minimum statement-default no-provider
# @ref cli 14 e-v q-v
set -u
. "${0%/*}/lib.sh"

report() { # NAME
	echo "
Stability attributes for description $1:

	Minimum Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common"
}

try "$DTRACE" -qv -n 'dtrace:::BEGIN { exit(0); }'
expect_status 0
expect_err ""
expect_out "$(report 'dtrace:::BEGIN ')"$'\n\n\n'

try "$DTRACE" -ev -n 'dtrace:::BEGIN { exit(0); }'
expect_status 0
expect_err ""
expect_out "$(report 'dtrace:::BEGIN ')"'

dtrace:::BEGIN

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None

'

# a description of many probes: what holds for all of them
try "$DTRACE" -ev -n 'syscall::getppid: { @ = count(); }'
expect_status 0
expect_match stdout "$out" $'\nsyscall::getppid:\n\n\tProbe Description Attributes\n'
expect_match stdout "$out" $'\tArgument Attributes\n\t\tIdentifier Names: Private\n\t\tData Semantics:   Private\n\t\tDependency Class: ISA\n'

# what a statement uses lowers it
try "$DTRACE" -ev -n 'dtrace:::BEGIN { trace(curthread); }'
expect_match stdout "$out" $'Minimum Statement Attributes\n\t\tIdentifier Names: Stable\n\t\tData Semantics:   Private\n\t\tDependency Class: Common\n'

# each program after its notice; the description as it was given
try "$DTRACE" -v -n 'dtrace:::BEGIN { exit(0); }' -n 'dtrace:::END'
expect_status 0
expect_text headings "$(grep Stability out.txt)" $'Stability attributes for description dtrace:::BEGIN :\nStability attributes for description dtrace:::END:'
expect_text notices "$(grep -c matched err.txt)" 2

# a script, and a description without a provider: its stability is that of any probe
printf 'BEGIN\n{\n\texit(0);\n}\n' >s.d
try "$DTRACE" -ev -s s.d
expect_status 0
expect_match stdout "$out" $'^\nStability attributes for script s.d:\n'
expect_match stdout "$out" $'Minimum Probe Description Attributes\n\t\tIdentifier Names: Unstable\n\t\tData Semantics:   Unstable\n\t\tDependency Class: Common\n'
expect_match stdout "$out" $'\n:::BEGIN\n'

# with -Z, the clauses that match nothing and do not compile without a probe
try "$DTRACE" -Zv -n 'nosuch:::fire, BEGIN { trace(probename == args[0]->name); }' -n 'nosuch:::other { trace(1); } END { exit(0); }' \
	-n 'BEGIN { exit(0); }'
expect_status 1
try "$DTRACE" -Zv -n 'nosuch:::fire, syscall::nosuch:entry { trace(args[0]->name); }' -n 'nosuch:::other { trace(1); } BEGIN { exit(0); }'
expect_status 0
expect_text unchecked "$(grep checked out.txt)" $'\tnosuch:::fire: no probe matches, the actions are not checked
\tsyscall::nosuch:entry: no probe matches, the actions are not checked'
try "$DTRACE" -Zev -n 'nosuch:::fire { trace(args[0]->name); }'
expect_text unchecked "$(grep checked out.txt)" $'\tnosuch:::fire: no probe matches, the actions are not checked'

finish
