#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build/dtrace-static traces on stock kernels in QEMU, in a RAM disk that has no file but it and busybox.
# @timeout 300
# @needs qemu-system-x86_64 busybox cpio
set -e
cd "$SRCDIR"
[[ $BUILD == "$SRCDIR/build" ]] || { echo "skip: BUILD is not the repository's"; exit 77; }
mapfile -t kernels < <(tests/vm/kernels -n 6.1 6.12 2>/dev/null)
[[ ${#kernels[@]} != 0 ]] || { echo "skip: no kernel in build/vm (tests/vm/kernels)"; exit 77; }
unset MAKEFLAGS MAKELEVEL MFLAGS
flock "$BUILD/static.lock" make -s build/dtrace-static >/dev/null 2>&1 || { echo "skip: make static fails; static.sh says why"; exit 77; }
mkdir -p "$TMPDIR"/root/{bin,proc,sys,dev}
cp "$(command -v busybox)" "$TMPDIR/root/bin/"
cp "$BUILD/dtrace-static" "$TMPDIR/root/bin/dtrace"
cat >"$TMPDIR/root/init" <<'E2'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc p /proc; mount -t sysfs s /sys; mount -t devtmpfs d /dev
dtrace -qn 'BEGIN { printf("libraries %d %d\n", curpsinfo->pr_pid == pid, ENOENT); exit(0); }'
dtrace -qn 'syscall::write:entry /pid == $target/ { @["writes"] = count(); }
	fbt::vfs_write:entry /pid == $target/ { @["vfs_write"] = count(); }' -c 'echo text'
poweroff -f
E2
chmod +x "$TMPDIR/root/init"
(cd "$TMPDIR/root" && find . | cpio -o -H newc --quiet) >"$TMPDIR/ram"
for kernel in "${kernels[@]}"; do
	timeout $((100 * ${TIMEOUT_SCALE:-1})) qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -M pc -cpu max \
		-accel tcg,thread=single -m 512M -kernel "$kernel"/boot/vmlinuz-* -initrd "$TMPDIR/ram" \
		-append "console=ttyS0 loglevel=3 panic=-1 mitigations=off norandmaps" -serial stdio </dev/null 2>&1 | tr -d '\r' >"$TMPDIR/out"
	for line in 'libraries 1 2' ' *writes +1' ' *vfs_write +1'; do
		grep -qxE "$line" "$TMPDIR/out" || { echo "${kernel##*/}: no line '$line' in:"; cat "$TMPDIR/out"; exit 1; }
	done
done
