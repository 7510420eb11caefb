# SPDX-License-Identifier: Apache-2.0
# Writes libdtrace(3): docs/libdtrace.3.in with the comments and declarations of the public headers in place of
# @functions@ (dtrace/dtrace.h), @results@ (dtrace/data.h) and @scripts@ (dtrace/script.h).
#	awk -f libdtrace.awk dtrace.h data.h script.h libdtrace.3.in

# Prints text in lines of at most 78 characters.
function fold(s,    n, line, m, word, i, j, out) {
	n = split(s, line, "\n")
	for (i = 1; i <= n; i++) {
		m = line[i] ~ /^\./ ? 0 : split(line[i], word, " ")
		out = m ? word[1] : line[i]
		for (j = 2; j <= m; j++)
			if (length(out) + length(word[j]) > 77) {
				print out
				out = word[j] ~ /^[.']/ ? "\\&" word[j] : word[j]
			} else
				out = out " " word[j]
		print out
	}
}

# Prints a line of text as mdoc: a sentence a line, functions marked.
function text(s,    out, word) {
	gsub(/\\/, "\\e", s)
	gsub(/\.  +/, ".\n", s)
	while (match(s, /[A-Za-z0-9)>*]\. [A-Z*]/))
		s = substr(s, 1, RSTART + 1) "\n" substr(s, RSTART + 3)
	while (match(s, /[a-z_]+\(\)[,.:;)]*/)) {
		word = substr(s, RSTART, RLENGTH)
		out = out substr(s, 1, RSTART - 1) "\n.Fn " word "\n"
		s = substr(s, RSTART + RLENGTH)
	}
	s = out s
	gsub(/\(\)/, "", s)
	while (match(s, /\.Fn [a-z_]+[,.:;)]/))
		s = substr(s, 1, RSTART + RLENGTH - 2) " " substr(s, RSTART + RLENGTH - 1)
	while (match(s, /\n\.Fn [a-z_]+ [,.:;)][,.:;)]/))
		s = substr(s, 1, RSTART + RLENGTH - 2) " " substr(s, RSTART + RLENGTH - 1)
	gsub(/\(\n\.Fn/, "\n.Fn (", s)
	while (s ~ / *\n[ \n]+| \n/)
		gsub(/ *\n[ \n]*/, "\n", s)
	sub(/^\n/, "", s)
	sub(/\n$/, "", s)
	fold(s)
}

# The comment as paragraphs; lines "NAME<tab>meaning" as a list.
function comment(    n, line, i, list, buf) {
	n = split(remark, line, "\n")
	for (i = 1; i <= n; i++) {
		if (line[i] ~ /^[A-Za-z_ -]+\t/) {
			if (buf != "") text(buf)
			buf = ""
			if (!list) print ".Bl -tag -width DTRACE_WORK_DONEX -compact"
			list = 1
			print ".It " substr(line[i], 1, index(line[i], "\t") - 1)
			buf = line[i]
			sub(/^[^\t]*\t+/, "", buf)
		} else if (line[i] == "") {
			if (buf != "") text(buf)
			buf = ""
			if (list) print ".El"
			list = 0
			if (i < n) print ".Pp"
		} else {
			sub(/^\t+/, "", line[i])
			buf = buf (buf == "" ? "" : " ") line[i]
		}
	}
	if (buf != "") text(buf)
	if (list) print ".El"
	remark = ""
}

function literal(s) {
	gsub(/\\/, "\\e", s)
	gsub(/DTRACE_API /, "", s)
	print ".Bd -literal"
	printf "%s", s
	print ".Ed"
}

# Reads a header: declarations, then what the comment before them says.
function header(file,    line, inside) {
	remark = ""
	while ((getline line < file) > 0) {
		if (line ~ /^\/\* ---- .* ---- \*\//) {
			flush_block()
			sub(/^\/\* ---- /, "", line)
			sub(/ ---- \*\//, "", line)
			print ".Ss " toupper(substr(line, 1, 1)) substr(line, 2)
		} else if (inside == "" && line ~ /^\/\*/) {
			if (line ~ /SPDX/) continue
			flush_block()
			remark = ""
			inside = "comment"
			sub(/^\/\* ?/, "", line)
		} else if (inside == "" && line ~ /^(DTRACE_API|struct [a-z_]+ \{|enum [a-z_]+ \{)/)
			inside = "declaration"
		else if (inside == "" && line ~ /^$/) {
			flush_block()
			remark = ""
		}
		if (inside == "comment") {
			if (line ~ /\*\/$/) {
				inside = ""
				sub(/ *\*\/$/, "", line)
			}
			sub(/^ \* ?/, "", line)
			sub(/^ \*$/, "", line)
			if (line != "" || remark != "") remark = remark (remark == "" ? "" : "\n") line
		} else if (inside == "declaration") {
			block = block line "\n"
			if (line ~ (block ~ /^DTRACE_API|^enum [a-z_]+ \{.*\};/ ? ";$" : "^};$")) inside = ""
		}
	}
	flush_block()
}

function flush_block() {
	if (block == "") return
	literal(block)
	if (remark != "") {
		print ".Bd -filled -offset indent -compact"
		comment()
		print ".Ed"
	}
	block = ""
	remark = ""
}

BEGIN {
	page = ARGV[4]
	while ((getline line < page) > 0) {
		if (line == "@functions@")
			header(ARGV[1])
		else if (line == "@results@")
			header(ARGV[2])
		else if (line == "@scripts@")
			header(ARGV[3])
		else
			print line
	}
	exit
}
