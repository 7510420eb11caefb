# SPDX-License-Identifier: Apache-2.0
# Writes dtrace-tools(8) from docs/tools.md, whose first paragraph of a section describes a tool, and from the "#pragma tool"
# lines of tools/*.d, in this order on the command line.

# Lines of at most 78 bytes; none begins as a macro does.
function wrap(text,    i, n, m, k, words, lines, line, out) {
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		m = split(lines[i], words, " ")
		line = ""
		for (k = 1; k <= m; k++) {
			if (line != "" && length(line) + 1 + length(words[k]) > 76) {
				out = out line "\n"
				line = ""
			}
			line = line (line == "" ? (words[k] ~ /^[.\x27]/ ? "\\&" : "") : " ") words[k]
		}
		out = out line (i < n ? "\n" : "")
	}
	return out
}

function plain(text) { # as text of mdoc(7): a sentence a line, without marks
	gsub(/`/, "", text)
	gsub(/\\/, "\\e", text)
	gsub(/"/, "\\(dq", text)
	gsub(/\(\)/, "\\\\\\&()", text) # else mandoc asks for a macro
	gsub(/[.?] +/, "&\n", text)
	return wrap(text)
}
function flag(name) { return (length(name) == 1 ? "Fl " : "Fl -") name }
# The text in quotes of LINE.
function quoted(line) {
	sub(/^[^"]*"/, "", line)
	sub(/"[^"]*$/, "", line)
	gsub(/\\"/, "\"", line)
	return line
}

BEGIN {
	word["int"] = "n"; word["string"] = "text"; word["time"] = "time"; word["size"] = "size"; word["pid"] = "pid"
	word["cgroup"] = "cgroup"
}
FNR == 1 && FILENAME ~ /\.d$/ {
	n = FILENAME
	sub(/.*\//, "", n)
	sub(/\.d$/, "", n)
	names[++count] = n
}
FILENAME ~ /\.md$/ && /^## / { section = $2; state = 1; next }
FILENAME ~ /\.md$/ && state == 1 && NF { about[section] = about[section] (about[section] ? " " : "") $0; state = 2; next }
FILENAME ~ /\.md$/ && state == 2 && NF { about[section] = about[section] " " $0; next }
FILENAME ~ /\.md$/ { if (state == 2) state = 0; next }
/^#pragma tool usage/ { usage[n] = quoted($0); sub(/^[^:]*: */, "", usage[n]); next }
/^#pragma tool param/ {
	line = flag($4)
	if ($5 != "flag")
		line = line " Ar " word[$5]
	params[n] = params[n] ".It " line "\n" plain(quoted($0)) "\n"
	synopsis[n] = synopsis[n] ".Op " line "\n"
}
/\$target/ { targets[n] = 1 }
END {
	print ".\\\" SPDX-License-Identifier: Apache-2.0"
	print ".Dd November 23, 2026\n.Dt DTRACE-TOOLS 8\n.Os\n.Sh NAME\n.Nm dtrace-tools\n.Nd scripts that are ready to run\n.Sh SYNOPSIS"
	print ".Nm dtrace Fl -tool\n.Nm dtrace Fl -tool Ar name Op Ar option ...\n.Sh DESCRIPTION"
	print "Each tool is a script in\n.Pa share/dtrace/tools .\n.Xr dtrace 8\nruns it by its name, and lists all of them without one."
	print "Each has the options\n.Fl h ,\nwhich prints its help and says whether this machine can run it, and\n.Fl -output , -cgroup , -top , -web\nand\n.Fl -fail-on-drops\nof\n.Xr dtrace 8 .\n^C ends any of them."
	print ".Sh TOOLS"
	for (i = 1; i <= count; i++) {
		n = names[i]
		print ".Ss " n
		print plain(usage[n] ".")
		if (about[n])
			print ".Pp\n" plain(about[n])
		if (params[n] || targets[n])
			print ".Bl -tag -width Ds"
		printf "%s", params[n]
		if (targets[n])
			print ".It Fl p Ar pid\ntrace this process\n.It Fl c Ar command\nrun a command, and trace it until it exits"
		if (params[n] || targets[n])
			print ".El"
	}
	print ".Sh SEE ALSO\n.Xr d 7 ,\n.Xr dtrace-providers 7 ,\n.Xr dtrace 8"
}
