# SPDX-License-Identifier: Apache-2.0
# Shared by the two programs of flag_rows: its files, and what a word of flags.sets takes of their names.
# groups: "SET GROUP"; names: "GROUP NAME ENUM", in the order of the headers.

# For "NAME ENUM".
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
		name_of[part[1], ++count[part[1]]] = part[2]
		enum_of[part[1], count[part[1]]] = part[3]
	}
}
