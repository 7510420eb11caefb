#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The version is the one in VERSION wherever it must be repeated, and the program says it.
cd "$SRCDIR" || exit 1
version=$(cat VERSION) status=0
[[ $version =~ ^[0-9]+(\.[0-9]+)+$ ]] || { echo "VERSION holds '$version'"; status=1; }
same() { # WHERE WHAT
	[[ $2 == "$version" ]] || { echo "$1 has version '$2', VERSION has '$version'"; status=1; }
}
same packaging/debian/changelog "$(sed -n '1s/^dtrace (\(.*\)-[^-]*) .*/\1/p' packaging/debian/changelog)"
same packaging/dtrace.spec "$(sed -n 's/^Version: *//p' packaging/dtrace.spec)"
same CHANGELOG.md "$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)"
same "the top of the spec's %changelog" "$(sed -n '/^%changelog/,$s/^\* .* \([^ ]*\)-[^ ]*$/\1/p' packaging/dtrace.spec | head -n 1)"
# each version has notes, and they stay
missing=$(git tag -l 'v[0-9]*' 2>/dev/null | sed 's/^v//' | grep -vxFf <(sed -n 's/^## //p' CHANGELOG.md))
[[ -z $missing ]] || { echo "CHANGELOG.md has no notes about" $missing; status=1; }
[[ -x $BUILD/dtrace ]] || { echo "skip: nothing was built"; exit 77; }
same "$BUILD/dtrace" "$("$BUILD/dtrace" -Vv | sed -n 's/.* \([0-9.]*\)$/\1/p' | tail -n 1)"
exit $status
