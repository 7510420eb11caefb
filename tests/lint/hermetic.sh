#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The compiler opens no file and asks no kernel: lang, sema, ir and bpf call nothing of this list.
# Looked up in the objects, where a macro or an inline function can't hide a call.  No exceptions.
deny='open|open64|openat|openat64|creat|fopen|fopen64|freopen|fdopen|opendir|popen|system|exec[lv]p?e?'
deny+='|read|pread|pread64|readlink|mmap|mmap64|stat|stat64|fstat|lstat|access|ioctl|syscall|socket|memfd_create'
deny+='|getenv|secure_getenv|time|gettimeofday|clock_gettime|uname|sysconf|getauxval|getpid|getuid|geteuid|gethostname'
deny+='|getpwnam|getpwuid|rand|random|sched_getcpu|get_nprocs|bpf|libbpf_num_possible_cpus|btf__load_vmlinux_btf'
status=0 seen=0

for folder in lang sema ir bpf; do
	for obj in "$BUILD/src/$folder"/*.o; do
		# an object whose source went away is not part of the library
		src=$SRCDIR/src/$folder/$(basename "$obj" .o).c
		[[ -e $obj && -e $src ]] || continue
		seen=$((seen + 1))
		calls=$(nm -u "$obj" | awk '{ print $2 }' | grep -xE "(_*)($deny)(_2|_chk)?(@.*)?" | tr '\n' ' ')
		if [[ -n $calls ]]; then
			echo "src/$folder/$(basename "$obj" .o).c calls $calls"
			status=1
		fi
	done
done
[[ $seen == 0 ]] && echo "skip: nothing was built" && exit 77
exit $status
