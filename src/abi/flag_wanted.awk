# SPDX-License-Identifier: Apache-2.0
# "GROUP NAME": those of the names that a word of a set of their group takes, whose values are asked for.
$1 == "set" { group = group_of[$2] }
$1 == "flag" || $1 == "value" || $1 == "field" {
	for (i = 2; i <= NF; i++) {
		word = $i
		if (word ~ /^!/ || word ~ /^[0-9]/)
			continue
		sub(/[:=].*/, "", word)
		word = pattern(word)
		for (k = 1; k <= count[group]; k++) {
			name = name_of[group, k]
			if (name " " enum_of[group, k] ~ word && !((group, name) in said)) {
				said[group, name] = 1
				print group, name
			}
		}
	}
}
