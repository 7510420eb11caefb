#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every .c file says after its licence what it is for: a comment, a sentence in it.  Lines of tests
# that begin with @ are for tests/run and do not count.
cd "$SRCDIR" || exit 1

find src cmd tests bench examples -name '*.c' | sort | xargs awk '
	function judge() {
		sub(/^[ \t]+/, "", text)
		if (text !~ /[.:)]/)
			bad("no sentence after the licence that says what the file is for")
		else if (text ~ /^(What|Whether|So many|Those|Who|Where|How|Of what) /)
			bad("the opening hides its noun: \"" substr(text, 1, 40) "...\"")
	}
	function bad(why) { print file ": " why; failed = 1 }
	FNR == 1 {
		if (file != "")
			judge()
		file = FILENAME; text = ""; open = 0; over = 0
		next
	}
	over { next }
	{
		line = $0
		if (!open && line !~ /^\/\*/) {
			over = 1
			next
		}
		open = line !~ /\*\//
		sub(/^ ?\/?\*+/, "", line)
		sub(/\*\/.*/, "", line)
		if (line !~ /^[ \t]*@/)
			text = text line
	}
	END { judge(); exit failed }'
