# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
about="zlib's example and minigzip, with the shared library"
proof='^inflate with dictionary: hello'
source=zlib commands="gcc make" in_sample=1
modules="libz.so*" stepped="libz.so*:" stepped_in_sample="libz.so*:gz* libz.so*:*Init* libz.so*:*_table"
build() {
	CFLAGS='-O2 -g' ./configure && make -j2
}
suite() {
	local i files="deflate.c inflate.c trees.c" times=3
	export LD_LIBRARY_PATH=$PWD
	[[ $1 == small ]] && files=zconf.h times=1
	./examplesh "$HOME/foo.gz" || return
	for ((i = 0; i < times; i++)); do
		for f in $files; do
			./minigzipsh -"$((i * 4 + 1))" <"$f" | cksum
			./minigzipsh <"$f" | ./minigzipsh -d | cmp - "$f" || return
		done
	done
}
