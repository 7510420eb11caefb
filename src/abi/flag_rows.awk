# SPDX-License-Identifier: Apache-2.0
# Prints the rows of flags.sets.  Files besides those of flag_words.awk: values "GROUP NAME VALUE", texts "VALUE TEXT".
function fail(why)
{
	print FILENAME ":" FNR ": " why | "cat 1>&2"
	failed = 1
	exit 1
}

# A number of C, without a sign: of a set of 32 bits, its low ones.
function number(text,    v, i, digit)
{
	if (text ~ /^0[xX]/) {
		text = tolower(text)
		for (i = 3; i <= length(text); i++)
			v = 16 * v + index("0123456789abcdef", substr(text, i, 1)) - 1
	} else {
		v = text + 0
	}
	if (v < 0)
		v += bits == 32 ? 4294967296 : 18446744073709551616
	return v
}

# Whether each bit of A is one of B, and not all of them.
function is_part(a, b)
{
	if (a == b)
		return 0
	while (a > 0) {
		if (a % 2 > b % 2)
			return 0
		a = int(a / 2)
		b = int(b / 2)
	}
	return 1
}

function excluded(name,    i)
{
	for (i = 1; i <= nnot; i++)
		if (name " " ~ not[i])
			return 1
	return 0
}

# Row N + 1 of the set; a flag goes before the first of its parts among the flags.
function add(kind, mask, value, name, text,    at, i, key)
{
	key = kind sprintf(" %.0f %.0f", mask, value)
	used[name] = 1
	if (kind == "FLAG")
		mask = value
	# with other bits it is more than a value of the field
	if (kind == "FIELD" && value != mask && !is_part(value, mask))
		return
	if (key in taken || (kind == "FLAG" && !value))
		return
	taken[key] = 1
	at = ++nrows
	if (kind == "FLAG") {
		for (i = 1; i < nrows; i++)
			if (kinds[i] == "FLAG" && is_part(vals[i], value))
				break
		for (; at > i; at--) {
			kinds[at] = kinds[at - 1]
			rows[at] = rows[at - 1]
			vals[at] = vals[at - 1]
		}
	}
	kinds[at] = kind
	vals[at] = value
	rows[at] = sprintf("ROW(%s_%s, %s, %.0fu, \"%s\")", set, name, kind == "VALUE" ? "~0ull" : sprintf("%.0fu", mask), value, text)
}

function add_name(kind, mask, name, text)
{
	if ((group, name) in value_of)
		add(kind, mask, number(value_of[group, name]), name, text)
}

function add_word(kind, mask, word,    name, text, i, re, given)
{
	name = text = word
	if (word ~ /^@/)
		of_enum = substr(word, 2)
	if (word ~ /\*|@/) {
		re = pattern(word)
		for (i = 1; i <= count[group]; i++) {
			name = name_of[group, i]
			if (name " " enum_of[group, i] ~ re && !excluded(name) && !(name in used))
				add_name(kind, mask, name, name)
		}
		return
	}
	if (match(word, /:/)) {
		name = substr(word, 1, RSTART - 1)
		text = substr(word, RSTART + 1)
	} else if (match(word, /=/)) {
		name = text = substr(word, 1, RSTART - 1)
		given = number(substr(word, RSTART + 1))
		if ((group, name) in value_of && number(value_of[group, name]) != given)
			fail(name " is " value_of[group, name] " in the headers, not " substr(word, RSTART + 1))
		add(kind, mask, given, name, text)
		return
	}
	if (!((group, name) in value_of))
		fail("no header of " set " has " name)
	add_name(kind, mask, name, text)
}

function end_set(    i)
{
	if (set == "")
		return
	for (i = 1; i <= nrows; i++)
		print rows[i]
	print "END(" set ")"
	if (of_enum != "")
		print "ENUM(" set ", \"" of_enum "\")"
}

BEGIN {
	while ((getline line < values) > 0) {
		split(line, part, " ")
		value_of[part[1], part[2]] = part[3]
	}
	while ((getline line < texts) > 0) {
		match(line, / /)
		text_of[substr(line, 1, RSTART - 1)] = substr(line, RSTART + 1)
	}
	# first what the sets leave out, as it may stand behind the patterns
	while ((getline line < ARGV[1]) > 0) {
		n = split(line, part, " ")
		if (part[1] == "set")
			now = part[2]
		for (i = 2; i <= n; i++)
			if (part[1] ~ /^(flag|value|field)$/ && part[i] ~ /^!/)
				all_not[now] = all_not[now] " " substr(part[i], 2)
	}
}

/^#/ || !NF { next }
$1 == "set" {
	end_set()
	set = $2
	group = group_of[set]
	bits = $3
	help = $0
	sub(/^set +[^ ]+ +[^ ]+ +[^ ]+ +/, "", help)
	if (!sets++)
		print "/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */\n/* Made from src/abi/flags.sets. */"
	printf "NAMES(%s, %s, %s, \"%s\")\n", set, bits, $4, help
	nrows = 0
	of_enum = ""
	split("", taken)
	split("", used)
	nnot = split(all_not[set], not, " ")
	for (i = 1; i <= nnot; i++)
		not[i] = pattern(not[i])
	next
}
$1 == "in" || $1 == "in?" { next }
$1 == "texts" {
	value = number($2)
	n = split($0, part, "\"")
	for (i = 2; i <= n; i += 2)
		add("VALUE", 0, value + i / 2 - 1, sprintf("T%.0f", value + i / 2 - 1), part[i])
	next
}
$1 == "strerror" {
	of = group_of[$2]
	for (i = 1; i <= count[of]; i++)
		if ((of, name_of[of, i]) in value_of && value_of[of, name_of[of, i]] in text_of)
			add("VALUE", 0, number(value_of[of, name_of[of, i]]), name_of[of, i], text_of[value_of[of, name_of[of, i]]])
	next
}
$1 == "flag" || $1 == "value" {
	for (i = 2; i <= NF; i++)
		if ($i !~ /^!/)
			add_word(toupper($1), 0, $i)
	next
}
$1 == "field" {
	mask = $2 ~ /^[0-9]/ ? number($2) : number(value_of[group, $2])
	for (i = 3; i <= NF; i++)
		add_word("FIELD", mask, $i)
	next
}
{ fail("no such word: " $1) }
END {
	if (!failed)
		end_set()
	exit failed
}
