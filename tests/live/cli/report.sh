#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -v: stability reports when tracing and with -e.
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

# a script, and a description without a provider: its stability is that of any probe
printf 'BEGIN\n{\n\texit(0);\n}\n' >s.d
try "$DTRACE" -ev -s s.d
expect_status 0
expect_match stdout "$out" $'^\nStability attributes for script s.d:\n'
expect_match stdout "$out" $'Minimum Probe Description Attributes\n\t\tIdentifier Names: Unstable\n\t\tData Semantics:   Unstable\n\t\tDependency Class: Common\n'
expect_match stdout "$out" $'\n:::BEGIN\n'

finish
