# SPDX-License-Identifier: Apache-2.0
# Reads the declarations in file LIST (see includes.sh) and the sources; prints includes of which no
# name is used, and names that are used without an include.
#
# A use is an identifier outside comments and strings that the header declares: a function, macro,
# type, tag or enumerator, a member of a struct of it, or a name of an X-macro, made with ##.  A
# header does not use a struct of which it has only pointers: "struct NAME;" is enough.
#
# Two kinds of header may pass others on: the header of the .c file's own name, and to the files of
# its folder the private header of the folder (is_shared()).  Structs and enums need an include only
# where they are used other than through a pointer.  .def files are part of what includes them.

# Returns the path of the header that FILE includes as WHAT; "" for the system's.
function locate(file, what, quoted,    dir)
{
	dir = file
	sub(/[^\/]*$/, "", dir)
	if (("include/" what) in header)
		return "include/" what
	if (quoted && ("src/" what) in header)
		return "src/" what
	return quoted && (dir what) in header ? dir what : ""
}

function stem(file) { sub(/(\.bpf)?\.[ch]$/, "", file); return file }
function folder(file) { sub(/\/[^\/]*$/, "", file); return file }

function is_shared(file)
{
	return file ~ /(int|priv|private|internal)\.h$/ || file == "include/dtrace.h" ||
		file == "include/dtrace/dtrace.h" || file == "src/types/table.h" || file == "src/rt/rt.h"
}

function declare(path, name, sort, tag)
{
	if (sort ~ /^(struct|union|enum)$/)
		name = "tag:" name
	if (sort != "member")
		own[path, name] = 1
	if (path ~ /\.c$/ || sort ~ /^(local|parameter)$/)
		return
	header[path] = 1
	if (tag != "")
		typed[name] = typed[name] " tag:" tag
	if (sort == "member") {
		member[path, name] = 1
		return
	}
	has[path, name] = 1
	declared[path] = declared[path] " " name
	kind[name] = sort
	if (!(name in home))
		home[name] = path
	else if (home[name] != path)
		home[name] = "several"
}

function include(file, text,    quoted, to)
{
	quoted = text ~ /include[ \t]*"/
	sub(/^[^"<]*["<]/, "", text)
	sub(/[">].*/, "", text)
	if (text ~ /\.def$/)
		tables[file, ++ntables[file]] = "src/" text
	to = locate(file, text, quoted)
	if (to == "")
		return
	includes[file, ++nincludes[file]] = to
	direct[file, to] = 1
	line[file, to] = FNR ": " text
}

# Returns TEXT without strings and comments; sets in_comment.
function code(text,    at, end, rest)
{
	gsub(/\\./, "", text)
	gsub(/"[^"]*"|\047.?\047/, " ", text)
	if (in_comment) {
		if (!(at = index(text, "*/")))
			return ""
		text = substr(text, at + 2)
		in_comment = 0
	}
	sub(/\/\/.*/, "", text)
	while (at = index(text, "/*")) {
		rest = substr(text, at + 2)
		if (!(end = index(rest, "*/"))) {
			in_comment = 1
			return substr(text, 1, at - 1)
		}
		text = substr(text, 1, at - 1) " " substr(rest, end + 2)
	}
	return text
}

# Note the beginnings of names that a macro of FILE makes: NAME_##x.
function note_pasted(file, text,    word)
{
	while (match(text, /[A-Za-z_][A-Za-z_0-9]*_[ \t]*##/)) {
		word = substr(text, RSTART, RLENGTH)
		sub(/[ \t]*##/, "", word)
		pasted[file] = pasted[file] " " word
		text = substr(text, RSTART + RLENGTH)
	}
}

function note_words(file, text,    word, before, after, last, previous)
{
	while (match(text, /[A-Za-z_][A-Za-z_0-9]*/)) {
		word = substr(text, RSTART, RLENGTH)
		before = substr(text, 1, RSTART - 1)
		after = substr(text, RSTART + RLENGTH, 2)
		text = substr(text, RSTART + RLENGTH)
		previous = last
		last = word
		if (before ~ /->$/)
			follows[file] = 1
		if (before ~ /(\.|->)$/) {
			reached[file] = reached[file] " " word
			continue
		}
		if (previous ~ /^(struct|union|enum)$/ && before ~ /^[ \t]+$/) {
			word = "tag:" word
			if (after !~ /^ ?[*;]/)
				whole[file, word] = 1
		}
		if (after ~ /^ ?\(/)
			called[file, word] = 1
		if (!((file, word) in seen)) {
			seen[file, word] = 1
			words[file] = words[file] " " word
		}
	}
}

# True if FILE has a name whose type is a struct of header H, and reaches a member that H declares.
function reaches(file, h,    i, k, n, m, w, t)
{
	n = split(reached[file], w, " ")
	for (i = 1; i <= n; i++)
		if ((h, w[i]) in member)
			break
	if (i > n)
		return 0
	n = split(words[file] " " reached[file], w, " ")
	for (i = 1; i <= n; i++) {
		m = w[i] in typed ? split(typed[w[i]], t, " ") : 0
		for (k = 1; k <= m; k++)
			if ((h, t[k]) in has)
				return 1
	}
	return 0
}

# True if WORD in FILE is a use of header H.
function is_use(file, h, word)
{
	if (!((h, word) in has))
		return 0
	return word !~ /^tag:/ || file !~ /\.h$/ || file in follows || (file, word) in whole
}

function uses(file, h,    i, k, n, m, w, p)
{
	n = split(words[file], w, " ")
	m = split(pasted[h], p, " ")
	for (i = 1; i <= n; i++) {
		if (is_use(file, h, w[i]))
			return 1
		for (k = 1; k <= m; k++)
			if (index(w[i], p[k]) == 1)
				return 1
	}
	m = split(pasted[file], p, " ")
	for (k = 1; k <= m; k++)
		if (index(declared[h], " " p[k]))
			return 1
	for (i = 1; i <= ntables[file]; i++)
		if (uses(tables[file, i], h))
			return 1
	return reaches(file, h)
}

# True if FILE includes H, itself or through a header that may pass it on.
function gets(file, h,    i, via)
{
	if ((file, h) in direct)
		return 1
	for (i = 1; i <= nincludes[file]; i++) {
		via = includes[file, i]
		if ((stem(via) == stem(file) || is_shared(via) && folder(via) == folder(file)) && gets(via, h))
			return 1
	}
	return 0
}

# True if FILE must get the header that declares WORD.
function needs(file, word)
{
	if (!(word in home) || (file, word) in own || home[word] == "several" || home[word] == file)
		return 0
	if (kind[word] ~ /prototype|function/)
		return (file, word) in called
	return word !~ /^tag:/ || (file, word) in whole
}

function check(file,    i, n, h, w)
{
	for (i = 1; i <= nincludes[file]; i++) {
		h = includes[file, i]
		if (stem(h) != stem(file) && !uses(file, h))
			print file ":" line[file, h] ": no name of it is used"
	}
	n = split(words[file], w, " ")
	for (i = 1; i <= n; i++) {
		h = w[i] in home ? home[w[i]] : ""
		if (needs(file, w[i]) && !gets(file, h) && !lacks[file, h]++) {
			sub(/^tag:/, "", w[i])
			print file ": uses " w[i] ", but does not include " h
		}
	}
}

BEGIN {
	while ((getline row <list) > 0) {
		split(row, d, " ")
		declare(d[1], d[2], d[3], d[4])
	}
}

FNR == 1 { in_comment = 0; files[FILENAME] = 1 }

!in_comment && /^[ \t]*#[ \t]*include[ \t]*["<]/ { include(FILENAME, $0); next }

{
	text = code($0)
	if (text ~ /##/)
		note_pasted(FILENAME, text)
	note_words(FILENAME, text)
}

END {
	for (f in files)
		if (f !~ /\.def$/)
			check(f)
}
