#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The callbacks of the provider interface are those that its documents list, in the same order, and
# the example of docs/HOWTO-provider.md compiles.
cd "$SRCDIR" || exit 1
howto=docs/HOWTO-provider.md
status=0

# The names of the callbacks of struct $2 in header $1.
callbacks() {
	awk -v start="struct $2 {" '$0 == start { on = 1 } /^};/ { on = 0 } on' "$1" | tr -d '\n' |
		grep -o '(\*[a-z_]*)(' | tr -d '(*)'
}

# The first column of the table in the section of the HOWTO whose heading names struct $1.
rows() {
	awk -v name="\`struct $1\`" '/^## / { on = index($0, name) } on' $howto | sed -n 's/^| `\([a-z_]*\)` |.*/\1/p'
}

# The single words in code type of the Provider item of the architecture.
item() {
	awk '/^- \*\*/ { on = 0 } /^- \*\*Provider\*\*/ { on = 1 } on' docs/ARCHITECTURE.md | grep -o '`[a-z_]*`' | tr -d '`'
}

same() { # NAMES WHERE-FROM NAMES WHERE-FROM
	[[ -n $1 ]] || { echo "no callbacks found in $2"; status=1; return; }
	[[ $1 == "$3" ]] && return
	echo "$2 has" $1
	echo "$4 lists" $3
	status=1
}

provider=$(callbacks src/probe/provider.h provider)
user=$(callbacks src/probe/user_provider.h user_provider)
same "$provider" "struct provider" "$(rows provider)" $howto
same "$user" "struct user_provider" "$(rows user_provider)" $howto
same "$provider" "struct provider" "$(item)" docs/ARCHITECTURE.md

example=$(awk '/^## / { on = $0 == "## A complete provider" } /^```$/ { code = 0 } on && code; /^```c$/ { code = 1 }' $howto)
[[ $example == *"const struct provider provider_"* ]] || { echo "$howto has no complete provider"; status=1; }
cc -std=gnu11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Werror -Isrc -xc - <<<"$example" || status=1
exit $status
