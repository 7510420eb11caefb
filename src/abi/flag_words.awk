# SPDX-License-Identifier: Apache-2.0
# Of the names in file `names` ("GROUP NAME ENUM"), those that a word of a set of the group takes: their values are asked for.
# groups: "SET GROUP".
# "NAME ENUM" that a word takes.
function pattern(word)
{
	if (word ~ /^@/)
		return " " substr(word, 2) "$"
	gsub(/\*/, "[A-Za-z_0-9]*", word)
	return "^" word " "
}

BEGIN {
	while ((getline line < groups) > 0) {
		split(line, part, " ")
		group_of[part[1]] = part[2]
	}
	while ((getline line < names) > 0) {
		split(line, part, " ")
		name_of[part[1], ++count[part[1]]] = part[2] " " part[3]
	}
}
$1 == "set" { group = group_of[$2] }
$1 == "flag" || $1 == "value" || $1 == "field" {
	for (i = 2; i <= NF; i++) {
		word = $i
		if (word ~ /^!/ || word ~ /^[0-9]/)
			continue
		sub(/[:=].*/, "", word)
		word = pattern(word)
		for (k = 1; k <= count[group]; k++) {
			split(name_of[group, k], part, " ")
			if (name_of[group, k] ~ word && !((group, part[1]) in said)) {
				said[group, part[1]] = 1
				print group, part[1]
			}
		}
	}
}
