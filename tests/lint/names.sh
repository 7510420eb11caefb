#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A struct, union or enum that a header defines has a name that no other file gives to its own, and
# no static function is called just find: its name says what it finds.
cd "$SRCDIR" || exit 1

find src cmd include -name '*.[ch]' | sort | xargs awk '
	/\\$/ { next }		# the body of a macro
	{ tag = "" }
	match($0, /^HEAPVEC_STRUCT\([A-Za-z0-9_]+,/) {
		tag = substr($0, RSTART + 15, RLENGTH - 16)
	}
	match($0, /(^|[ \t(])(struct|union|enum)[ \t]+[A-Za-z0-9_]+[ \t]*\{/) {
		tag = substr($0, RSTART, RLENGTH)
		sub(/[ \t]*\{$/, "", tag)
		sub(/.*[ \t]/, "", tag)
	}
	tag != "" {
		n[tag]++
		where[tag] = where[tag] " " FILENAME ":" FNR
		if (FILENAME ~ /\.h$/)
			header[tag] = 1
	}
	/^static .*[ *]find\(/ { print FILENAME ":" FNR ": find() does not say what it finds"; failed = 1 }
	END {
		for (tag in n)
			if (n[tag] > 1 && tag in header) {
				print tag " is defined more than once:" where[tag]
				failed = 1
			}
		exit failed
	}'
