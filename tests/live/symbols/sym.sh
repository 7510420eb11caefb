#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sym, func and mod of a kernel function's address, %a, and what is no address of the kernel.
# @ref d-builtins 4 sym-func mod
# @ref output 6.1 narrow-argument reduced-kernel sym mod a printa-a padding
# @ref d-builtins 5.3 symbols unresolved merged-keys
# @ref d-builtins 8.1 a
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

# a function that no other symbol shares its address with
read -r addr name < <(awk '$2 == "T" && $3 == "vprintk" { print $1, $3 }' /proc/kallsyms)
[[ -n ${name:-} && ! $addr =~ ^0+$ ]] || { echo "/proc/kallsyms shows no vprintk"; exit 77; }

"$DTRACE" -qn "BEGIN
{
	sym(0x$addr);
	func(0x$addr + 1);
	mod(0x$addr);
	printf(\"|%a|%a|%30a|%-30a|%.7a|\n\", 0x$addr, 0x$addr + 5, 0x$addr, 0x$addr + 5, 0x$addr);
	sym(16);
	mod((char)16);
	printf(\"|%a|\n\", 16);
	@sym[sym(0x$addr)] = count();
	@sym[sym(0x$addr + 1)] = count();
	@sym[sym(16)] = count();
	@mod[mod(0x$addr)] = count();
	@mod[mod(0x$addr - 64)] = count();
	printa(\"%-24a %@d\n\", @sym);
	printa(\"[%a] %@d\n\", @mod);
	exit(0);
}"
