# SPDX-License-Identifier: Apache-2.0
# The names of macros without parameters and of enumerators, of C that the preprocessor has written with -dD; -v group=GROUP.
# "GROUP NAME", for an enumerator "GROUP NAME ENUM"; one that is a macro, too, is both.
function name(n, of)
{
	if (n ~ /^[A-Za-z_][A-Za-z_0-9]*$/ && !((n, of) in seen)) {
		seen[n, of] = 1
		print group, n, of
	}
}

/^#define/ {
	if (NF >= 3 && $2 !~ /\(/)
		name($2, "")
	next
}
/^#/ { next }
{
	text = text " " $0
	for (;;) {
		if (!inside) {
			if (!match(text, /enum[^;{}()]*\{/)) {
				# what may still become the beginning of one
				if (match(text, /.*[;{}()]/))
					text = substr(text, RLENGTH + 1)
				break
			}
			tag = substr(text, RSTART + 4, RLENGTH - 5)
			gsub(/[ \t]/, "", tag)
			text = substr(text, RSTART + RLENGTH)
			inside = 1
		}
		if (!match(text, /[,}]/))
			break
		item = substr(text, 1, RSTART - 1)
		inside = substr(text, RSTART, 1) == ","
		text = substr(text, RSTART + 1)
		sub(/=.*/, "", item)
		gsub(/[ \t]/, "", item)
		name(item, tag)
	}
}
