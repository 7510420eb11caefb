# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Where the suites of tests/unchanged come from: Debian's source packages, in $BUILD/unchanged. apt has lists of its own
# there, so nothing of the system's changes.
cache=$BUILD/unchanged

# The sources of Debian's package $1, of the release that runs here, in folder $2; patched as Debian does.
fetch() {
	local apt=$cache/apt release mirror
	command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || { echo "no apt-get or dpkg-source to fetch sources"; return 1; }
	rm -rf "$2.part"
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$2.part" || return 1
	if [[ ! -e $apt/updated ]]; then
		release=$(. /etc/os-release && echo "$VERSION_CODENAME")
		mirror=$("$SRCDIR/tests/runner/mirror")
		echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror ${release:-stable} main" >"$apt/list"
		apt_sources update >"$apt/log" 2>&1 && touch "$apt/updated" || { tail -n 1 "$apt/log"; return 1; }
	fi
	(cd "$2.part" && apt_sources source --download-only "$1") >"$apt/log" 2>&1 || { tail -n 1 "$apt/log"; return 1; }
	if [[ $(type -t unpack) == function ]]; then
		(cd "$2.part" && mkdir tree && unpack) >"$apt/log" 2>&1 || { tail -n 1 "$apt/log"; return 1; }
	else
		(cd "$2.part" && dpkg-source --no-check -x ./*.dsc tree) >"$apt/log" 2>&1 || { tail -n 1 "$apt/log"; return 1; }
	fi
	rm -f "$2.part"/*.tar.* && mv "$2.part/tree" "$2" && rm -rf "$2.part"
}
apt_sources() {
	apt-get -qq -o Dir::Etc::SourceList="$cache/apt/list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User= \
		-o Dir::State::Lists="$cache/apt/lists" -o Dir::Cache="$cache/apt" "$@"
}

# Fetch and build the loaded suite $1, once; prints why not.
prepare() {
	local c folder=$cache/$1
	for c in $commands; do
		command -v "$c" >/dev/null || { echo "needs $c"; return 1; }
	done
	[[ ! -e $folder/built ]] || return 0
	mkdir -p "$folder"
	if [[ ! -e $folder/tree ]]; then
		if [[ $source ]]; then fetch "$source" "$folder/tree" || return 1; else mkdir -p "$folder/tree"; fi
	fi
	(cd "$folder/tree" && set -e && build) >"$folder/build.log" 2>&1 || { echo "cannot be built: $(tail -n 1 "$folder/build.log")"; return 1; }
	touch "$folder/built"
}
