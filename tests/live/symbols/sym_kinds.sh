#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# uaddr(), usym(), ufunc() and umod(), printed and as keys, of programs of each kind, most of which
# have ended when their records are read: code, data, the vDSO, a JIT compiler's code, a file in
# memory, a deleted one, mini-debuginfo, another mount and pid namespace.
# @needs cc unshare objcopy xz
# @timeout 60
# @vm no: the compiler takes long there; sym_exec and sym_dlopen show the same of the kernel
# @ref output 6.1 usym uaddr umod reduced-user
set -eu
# each argument is what to hand to getppid(), or a file to wait for
cat > p.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int table[16] = {1};
int zeros[16];
__attribute__((noinline)) static int function(int x) { return x * 3 + table[x & 15]; }
static void call(const void *p)
{
	long r;
	__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_getppid), "D"(p) : "rcx", "r11", "memory");
}
#ifdef DYNAMIC
static void *symbol(const char *lib, const char *name)
{
	return dlsym(dlopen(lib, RTLD_NOW), name);
}
#else
#define symbol(lib, name) NULL
#endif
static void *in_memory(const char *lib)
{
	char buf[65536], name[64];
	int from = open(lib, O_RDONLY), to = memfd_create("lib", 0);
	ssize_t n;
	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, n) != n)
			return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
	return symbol(name, "lib_function");
}
static char *jit(int pid)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	FILE *f;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	f = fopen(path, "w");
	fprintf(f, "%lx 40 compiled::method\n", (unsigned long)code);
	fclose(f);
	return code;
}
int main(int argc, char **argv)
{
	char *code = NULL;
	int keep = function(argc);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "code")) {
			call((char *)function + 1);
			call((char *)function + 2);
		} else if (!strcmp(argv[i], "data")) {
			call(&table[3]);
			call(&zeros[15]);
		} else if (!strcmp(argv[i], "libc")) {
			call((char *)symbol("libc.so.6", "getppid") + 1);
		} else if (!strcmp(argv[i], "vdso")) {
			call((char *)symbol("linux-vdso.so.1", "__vdso_time") + 1);
		} else if (!strcmp(argv[i], "none")) {
			call((void *)16);
		} else if (!strcmp(argv[i], "memfd")) {
			call((char *)in_memory("lib.so") + 1);
		} else if (!strcmp(argv[i], "jit")) {
			code = jit(getpid());
			call(code + 0x10);
		} else {
			while (access(argv[i], F_OK))
				usleep(1000);
		}
	}
	if (code) {
		char path[64];
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
		unlink(path);
	}
	_exit(keep == -1);
}
END
cc -DDYNAMIC -O1 -o pie p.c -pie -fpie
cc -DDYNAMIC -O1 -o nopie p.c -no-pie -fno-pie
cc -O1 -o static p.c -static -fno-pie
cc -O1 -o staticpie p.c -static-pie -fpie
cc -DDYNAMIC -O1 -s -o stripped p.c -pie -fpie
echo 'int lib_function(int x) { return x * 5; }' > lib.c
cc -O1 -shared -fPIC -o lib.so lib.c
cc -DDYNAMIC -O1 -o mini p.c -pie -fpie
objcopy -S --keep-symbol=function mini mini.debug
xz mini.debug
strip mini
objcopy --add-section .gnu_debugdata=mini.debug.xz mini
cp pie gone
cp pie hidden
cat > run.sh <<'END'
#!/bin/sh
./pie code data libc vdso none
./nopie code data libc vdso none
./static code data
./staticpie code data
./stripped code libc
./mini code
./gone code data seen.gone &
while ! [ -e rm.gone ]; do sleep 0.01; done
rm gone
touch seen.gone
unshare -mpf sh -c 'mount -t tmpfs none /tmp && mkdir /tmp/in && cp hidden /tmp/in && /tmp/in/hidden code jit memfd seen.hidden' <&-
wait
END
chmod +x run.sh
# without symbols an address is that of the file, in which the function is where it is in "pie"
address() { # OFFSET
	printf 's/`0x%x\\b/`FUNCTION+%d/g;' $((0x$(nm pie | awk '$3 == "function" { print $1 }') + $1)) "$1"
}
# what is seen of two is told them: they wait for it
"$DTRACE" -qw -n '
syscall::getppid:entry
/progenyof($target) && execname != "sh" && execname != "run.sh"/
{
	printf("%-9s", execname);
	uaddr(arg0);
	usym(arg0);
	umod(arg0);
	printf("\n");
	@sym[usym(arg0)] = count();
	@func[ufunc(arg0)] = count();
	@mod[umod(arg0)] = count();
}
syscall::getppid:entry /progenyof($target) && execname == "gone"/ { system("touch rm.gone"); }
syscall::getppid:entry /progenyof($target) && execname == "hidden" && ++n == 4/ { system("touch seen.hidden"); }
END { 
	printf("--- usym\n"); printa(@sym); printf("--- ufunc\n"); printa(@func); printf("--- umod\n"); printa(@mod);
}
' -c ./run.sh | sed -E "$(address 1) $(address 2) s/0x[0-9a-f]{6,}/ADDR/g; s/ +/ /g; s/ $//" > out
sed '/^--- usym/,$d' out
for part in usym ufunc umod; do
	echo "--- $part"
	sed "1,/^--- $part/d; /^---/,\$d" out | sort
done
