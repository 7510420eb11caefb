# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Packages that the tests of one run share: each kind is built once, of the files of the working tree, by its own recipe. Both are
# compiled with Debian's flags where there are such, in folders with different names, so that identical.sh can compare them.
[[ $BUILD != *-san ]] || { echo "skip: packages have no sanitizers"; exit 77; }
cd "$SRCDIR" || exit 1
git rev-parse -q --verify HEAD >/dev/null || { echo "skip: not a clone"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
version=$(<VERSION)

# Sets CPPFLAGS, CFLAGS and LDFLAGS as packaging/debian/rules does, without the name of this folder.
packages_flags() {
	command -v dpkg-buildflags >/dev/null || return 0
	eval "$(make -rRs -f packaging/debian/rules --eval='flags: ; @dpkg-buildflags --export=sh' flags | sed 's/-ffile-prefix-map=[^ ]*//')"
}

packages_archive() { # FILE
	git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read \
		--transform "flags=r;s,^,dtrace-$version/," 2>/dev/null | gzip -9n >"$1"
}

# Sets $packages to a folder with the packages of KIND (deb or rpm), and $tree to that in which they were compiled. The first test
# that needs them builds them, which others wait for.
packages() { # KIND
	local here=$SHARED/$1
	packages=$here/packages tree=$here/compiled-for-$1
	mkdir -p "$here"
	exec 8>"$here/lock"
	flock 8
	if [[ ! -e $here/done ]]; then
		packages_archive "$here/dtrace-$version.tar.gz"
		rm -rf "$tree"
		(
			[[ $1 != rpm ]] || packages_flags
			exec "packaging/$1" "$here/dtrace-$version.tar.gz" "$packages" "$tree"
		) >"$here/log" 2>&1 8>&- || { cat "$here/log"; exit 1; }
		touch "$here/done"
	fi
	exec 8>&-
}
