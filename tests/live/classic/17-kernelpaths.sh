#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Kernel stacks as keys, their depth, stack(1) and caller against each other.
# @ref output 6 kernel-frame
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cat >kernelpaths.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet
#pragma D option stackframes=20

BEGIN
{
	deep = 0;
	total = 0;
}

udp:::send
/pid == $target && stackdepth > 3/
{
	@[stack()] = count();
	@top[stack(1)] = count();
	@by[caller != NULL ? "a caller" : "none"] = count();
	deep += stackdepth > 4;
	total++;
}

END
{
	printf("%s of them deep\n", deep == total && total == 12 ? "all" : "not all");
	normalize(@, 3);
	printa("a path: %@d times three\n", @);
	printa("one top frame: %@d\n", @top);
	printa("%s: %@d\n", @by);
}
D
# in a namespace that is there when tracing begins
unshare -n "$DTRACE" -s kernelpaths.d -c "$BUILD/tests/live/triggers/net -h -p 5000 udp 6 100" | grep -v '^data '
