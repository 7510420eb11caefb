#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The environment: options, DTRACE_DEBUG, _DTRACE_TESTING.
# @vm no: the command line, the kernel has no part in it
# @ref cli 7 option-variables invalid-ignored empty-value testing
# @ref cli 1.1 environment-before-flags
# @ref options 1 environment
set -u
. "${0%/*}/lib.sh"

# every kind of option has a variable; what is wrong is ignored, so is what is no option
try env DTRACE_OPT_STRSIZE=8 DTRACE_OPT_AGGSORTREV=yes DTRACE_OPT_DEFAULTARGS= DTRACE_OPT_NSPEC=junk DTRACE_OPT_ZONE=1 \
	DTRACE_OPT_QUIET=on DTRACE_OPT_quiet=no DTRACE_OPT_NOSUCH=1 \
	"$DTRACE" -n 'BEGIN { printf("%d", sizeof(string)); @["a"] = sum(1); @["b"] = sum(2); exit(0); }'
expect_status 0
expect_err ""
expect_match stdout "$out" $'^8\n  b +2\n  a +1\n$'

# flags are later
try env DTRACE_OPT_STRSIZE=8 "$DTRACE" -x strsize=9 -qn 'BEGIN { printf("%d", sizeof(string)); exit(0); }'
expect_out $'9\n'

# an empty one is an empty value: a text of nothing, a boolean that is off, no size at all
printf 'BEGIN\n{\n\texit(0);\n}\n' >s.d
try env DTRACE_OPT_CPPPATH= "$DTRACE" -Cs s.d
expect_status 1
expect_err $'dtrace: failed to compile script s.d: Preprocessor not found\n'
try env DTRACE_OPT_QUIET= DTRACE_OPT_STRSIZE= "$DTRACE" -n 'BEGIN { printf("%d", sizeof(string)); exit(0); }'
expect_status 0
expect_match stdout "$out" $':BEGIN 256\n'

# for tests: no CPU, no id, no newline for an interrupt, no word of sizes
try env _DTRACE_TESTING=1 "$DTRACE" -b 4g -en 'BEGIN { trace(1); exit(0); }'
expect_status 0
expect_err ''
try env _DTRACE_TESTING=1 "$DTRACE" -n 'BEGIN { trace(1); exit(0); }'
expect_status 0
expect_out $'                   FUNCTION:NAME\n                          :BEGIN           1\n\n'
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\n'
try env _DTRACE_TESTING=1 timeout -s INT 1 "$DTRACE" -qn 'END { printf("end"); }'
expect_out $'end\n'

finish
