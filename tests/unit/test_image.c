// SPDX-License-Identifier: Apache-2.0
/*
 * The functions of an ELF file: aliases, filters, offsets, stripped files, broken ones.
 * @ref providers 15 symbol-filters aliases writable-mappings static-executables file-offset
 * @needs cc objcopy strip xz nm
 */
#define _GNU_SOURCE
#include "test.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "elf/debugfile.h"
#include "sym/image.h"

static const char source[] =
	"int __attribute__((noinline)) first(int x) { __asm__ volatile(\"\"); return x + 1; }\n"
	"int second(int x) __attribute__((alias(\"first\")));\n"
	"extern __typeof(first) third __attribute__((weak, alias(\"first\")));\n"
	"static int __attribute__((noinline, used)) hidden(int x) { __asm__ volatile(\"\"); return "
	"x * 2; }\n"
	"static int impl(int x) { return x; }\n"
	"static void *pick(void) { return impl; }\n"
	"int chosen(int x) __attribute__((ifunc(\"pick\")));\n"
	"int data = 3;\n"
	"__asm__(\".text\\n.globl sizeless\\n.type sizeless, @function\\nsizeless: ret\\n\"\n"
	"\".globl \\\"with.dot\\\"\\n.type with.dot, @function\\nwith.dot: ret\\n.size with.dot, "
	"1\\n\"\n"
	"\".section .wx,\\\"awx\\\",@progbits\\n.globl writable\\n.type writable, @function\\n\"\n"
	"\"writable: ret\\n.size writable, 1\\n.text\\n\");\n"
	"int main(void) { return first(1) + hidden(2) + chosen(3); }\n";

static char dir[4096];

static void run(const char *format, const char *a, const char *b)
{
	char command[8192];

	snprintf(command, sizeof(command), format, dir, a, b);
	CHECK_INT(system(command), 0);
}

static struct file_image *open_image(const char *name, int *err)
{
	char path[8192];
	struct file_image *m;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	m = image_open(fd, err);
	close(fd); /* the image has its own */
	return m;
}

static void write_source(void)
{
	char path[8192];
	FILE *f;

	snprintf(path, sizeof(path), "%s/p.c", dir);
	f = fopen(path, "w");
	CHECK(f && fputs(source, f) >= 0);
	if (f)
		fclose(f);
}

/* Every name once, in order, with code that lies where the offset says. */
static void check_order(const struct file_image *m)
{
	uint32_t n;
	const struct image_func *f = image_funcs(m, &n);

	CHECK(n > 0);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t off = 0;

		CHECK(f[i].size && *f[i].name && !strstr(f[i].name, "@@"));
		CHECK(image_offset(m, f[i].vaddr, &off) && off);
		if (i)
			CHECK(f[i - 1].vaddr <= f[i].vaddr);
		CHECK(!i == !f[i].alias || i);
		if (f[i].alias)
			CHECK(f[i - 1].vaddr == f[i].vaddr && f[i - 1].size == f[i].size);
	}
}

/* Which one of the three names of one function isn't an alias, and that there is just one. */
static const char *shown(const struct file_image *m, uint64_t vaddr)
{
	uint32_t n, found = 0;
	const struct image_func *f = image_funcs(m, &n);
	const char *name = "";

	for (uint32_t i = 0; i < n; i++) {
		if (f[i].vaddr != vaddr || f[i].alias)
			continue;
		found++;
		name = f[i].name;
	}
	CHECK_INT(found, 1);
	return name;
}

/*
 * Of those that are not weak the first that nm lists, unsorted, is the first of the symbol table.
 */
static void check_shown(const struct file_image *m, const char *file)
{
	const struct image_func *f = image_named(m, "first");
	char command[8192], line[64] = "";
	FILE *p;

	snprintf(command, sizeof(command),
		"nm -p %s/%s | sed -nE 's/.* T (first|second|third)$/\\1/p' | head -1", dir, file);
	p = popen(command, "r");
	CHECK(p && fgets(line, sizeof(line), p));
	if (p)
		pclose(p);
	line[strcspn(line, "\n")] = '\0';
	CHECK_STR(f ? shown(m, f->vaddr) : NULL, line);
}

/* The function that is chosen when the program starts, by the function that chooses. */
static void check_chosen(const struct file_image *m)
{
	const struct image_func *pick = image_named(m, "pick");
	uint32_t n;
	const struct image_ifunc *f = image_ifuncs(m, &n);

	while (n && strcmp(f->name, "chosen") != 0) /* a static program has libc's */
		f++, n--;
	CHECK(n && pick && f->resolver == pick->vaddr);
}

static int add_name(void *arg, const struct image_func *f)
{
	char *names = arg;

	sprintf(names + strlen(names), "%s%s%s%s", *names ? " " : "", f->name, f->source ? "/" : "",
		f->source ? f->source : "");
	return 0;
}

/* What NAME means in M, each with its source file. */
static const char *meant(const struct file_image *m, const char *name)
{
	static char names[1024];

	names[0] = '\0';
	CHECK_INT(image_each_named(m, name, add_name, names), 0);
	return names;
}

/* The parts of F, each with its source file. */
static const char *parts(const struct file_image *m, const struct image_func *f)
{
	static char names[1024];

	names[0] = '\0';
	CHECK(f);
	if (f)
		CHECK_INT(image_each_part(m, f, add_name, names), 0);
	return names;
}

/* Functions of one name, their whole copies, and parts. */
static void check_meant(void)
{
	static const char code[] =
		"#define FUNC(name) .type name, @function; name: ret; .size name, 1\n"
		"FUNC(twin)\nFUNC(twin.constprop.0)\nFUNC(twin.part.0)\nFUNC(twin.cold)\n"
		"FUNC(twin.isra.0.cold)\nFUNC(twin.part.0.cold)\nFUNC(twin.isra.0.constprop.1)\n"
		"FUNC(twin.3)\n";
	const struct image_func *f;
	char path[8192];
	struct file_image *m;
	FILE *to;
	int err;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/t%d.S", dir, i);
		to = fopen(path, "w");
		CHECK(to && fprintf(to, ".file \"t%d.c\"\n%s", i, code) > 0);
		if (to)
			fclose(to);
	}
	run("cd %s && cc -shared -o twins t0.S t1.S", "", "");
	m = open_image("twins", &err);
	CHECK(m);
	if (!m)
		return;
	CHECK_STR(meant(m, "twin"),
		"twin/t0.c twin/t1.c twin.constprop.0/t0.c twin.isra.0.constprop.1/t0.c "
		"twin.constprop.0/t1.c twin.isra.0.constprop.1/t1.c");
	CHECK_STR(meant(m, "twin.part.0"), "twin.part.0/t0.c twin.part.0/t1.c");
	CHECK_STR(meant(m, "twin.3"), "twin.3/t0.c twin.3/t1.c");
	CHECK_STR(meant(m, "twi"), "");
	f = image_named(m, "twin");
	CHECK(f && !image_is_one(m, f));
	/* those of the two files are not told apart */
	CHECK_STR(parts(m, f),
		"twin.part.0/t0.c twin.cold/t0.c twin.part.0.cold/t0.c "
		"twin.part.0/t1.c twin.cold/t1.c twin.part.0.cold/t1.c");
	f = image_named(m, "twin.part.0");
	CHECK_STR(parts(m, f), "twin.part.0.cold/t0.c twin.part.0.cold/t1.c");
	image_free(m);
}

/* ---- the cost of a file ---- */

#define MANY "30000"

static int count(void *arg, const struct image_func *f)
{
	(void)f;
	++*(uint32_t *)arg;
	return 0;
}

/*
 * Returns the CPU time, in microseconds, of opening an image of MANY functions, each as CODE says
 * with \\@ for its number, and of asking for what it has at and around "base".
 */
static double cost(const char *code)
{
	const struct image_func *f;
	char path[8192];
	struct file_image *m;
	uint32_t n, found = 0;
	clock_t from;
	FILE *to;
	int err;

	snprintf(path, sizeof(path), "%s/many.s", dir);
	to = fopen(path, "w");
	CHECK(to &&
		fprintf(to,
			".type base, @function\nbase: ret\n.size base, 1\n.macro "
			"one\n%s.endm\n.rept " MANY "\none\n.endr\n",
			code) > 0);
	if (to)
		fclose(to);
	run("cd %s && as -o many.o many.s && ld -shared -o many many.o", "", "");
	from = clock();
	m = open_image("many", &err);
	CHECK(m);
	if (!m)
		return 0;
	image_funcs(m, &n);
	CHECK_INT(n, atoi(MANY) + 1);
	f = image_named(m, "base");
	CHECK(f && !image_each_part(m, f, count, &found));
	for (int i = 0; f && i < 1000; i++)
		CHECK(image_at(m, f->vaddr) && image_at(m, f->vaddr)->vaddr == f->vaddr);
	image_free(m);
	return (double)(clock() - from) / CLOCKS_PER_SEC * 1e6;
}

/* No kind of symbols costs much more than another: none is compared with all others. */
static void check_cost(void)
{
	double plain = cost(".type f\\@, @function\nf\\@: ret\n.size f\\@, 1\n");
	double aliases = cost(".set f\\@, base\n.type f\\@, @function\n.size f\\@, 1\n");
	double part_aliases = cost(".set base.part.\\@, base\n.type base.part.\\@, "
				   "@function\n.size base.part.\\@, 1\n");

	CHECK(aliases < 20 * plain);
	CHECK(part_aliases < 20 * plain);
}

/* Versions of a symbol: of the default one the name is plain, with .symtab and without. */
static void check_versions(void)
{
	static const char *const strip[] = {"true", "strip versions"};
	char path[8192];
	struct file_image *m;
	FILE *to;
	int err;

	snprintf(path, sizeof(path), "%s/v.c", dir);
	to = fopen(path, "w");
	CHECK(to &&
		fputs("int older(void) { return 1; }\nint old(void) { return 2; }\n"
		      "int now(void) { return 3; }\nint other(void) { return 4; }\n"
		      "__asm__(\".symver older,api@V1\\n.symver old,api@V2\\n\"\n"
		      "\t\".symver now,api@@V3\");\n",
			to) >= 0);
	if (to)
		fclose(to);
	run("cd %s && echo 'V1 {}; V2 {} V1; V3 { global: api; other; local: *; } V2;' >v.map && "
	    "cc -O1 -shared -fPIC -Wl,--version-script=v.map -o versions v.c",
		"", "");
	for (int i = 0; i < 2; i++) {
		run("cd %s && %s", strip[i], "");
		m = open_image("versions", &err);
		CHECK(m);
		if (!m)
			continue;
		CHECK_STR(meant(m, "api"), "api");
		CHECK_STR(meant(m, "api@V1"), "api@V1");
		CHECK_STR(meant(m, "api@V2"), "api@V2");
		CHECK_STR(meant(m, "api@@V3"), "");
		CHECK_STR(meant(m, "other"), "other");
		image_free(m);
	}
}

static void check_whole(const char *file, bool dynamic)
{
	const struct image_func *f, *g;
	unsigned char code[8];
	struct file_image *m;
	uint64_t off;
	int err = 1;

	m = open_image(file, &err);
	CHECK_INT(err, 0);
	if (!m)
		return;
	check_order(m);
	f = image_named(m, "first");
	g = image_named(m, "second");
	CHECK(f && g && f->vaddr == g->vaddr && f->size == g->size);
	g = image_named(m, "third");
	CHECK(f && g && f->vaddr == g->vaddr);
	check_shown(m, file);
	CHECK(image_named(m, "hidden"));
	CHECK(image_named(m, "main"));
	CHECK(image_named(m, "pick"));	  /* itself a plain function */
	CHECK(!image_named(m, "chosen")); /* STT_GNU_IFUNC */
	check_chosen(m);
	CHECK(!image_named(m, "data"));	    /* an object */
	CHECK(!image_named(m, "sizeless")); /* no size */
	CHECK(image_named(m, "with.dot"));
	CHECK(!image_named(m, "writable")); /* the kernel refuses */
	CHECK(!image_named(m, "printf") || !dynamic);
	CHECK(!image_named(m, "") && !image_named(m, "firs"));
	CHECK(image_entry(m) && image_offset(m, image_entry(m), &off));
	CHECK_INT(image_is_dynamic(m), dynamic);
	/* lea 0x1(%rdi),%eax; ret */
	CHECK(f && image_code(m, f->vaddr, code, 4) && !memcmp(code, "\x8d\x47\x01\xc3", 4));
	CHECK(!image_offset(m, 0, &off));
	CHECK(!image_code(m, UINT64_MAX - 3, code, 8));
	CHECK(f && !image_code(m, f->vaddr, code, SIZE_MAX));
	image_free(m);
}

/* Of a stripped program nothing is left but what it exports. */
static void check_stripped(void)
{
	struct file_image *m;
	int err;

	run("cd %s && strip -o stripped pie", "", "");
	m = open_image("stripped", &err);
	CHECK(m);
	if (m) {
		CHECK(!image_named(m, "hidden") && !image_named(m, "main"));
		CHECK(image_entry(m) != 0);
		image_free(m);
	}
	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -shared -fPIC -o lib.so p.c && strip "
	    "lib.so",
		"", "");
	m = open_image("lib.so", &err);
	CHECK(m);
	if (m) {
		CHECK(image_named(m, "first") && image_named(m, "second"));
		CHECK(!image_named(m, "hidden") && !image_named(m, "chosen"));
		check_order(m);
		image_free(m);
	}
}

/* A separate debug file beside it, in .debug, and one of another build, which is not taken. */
static void check_debug_file(void)
{
	static const char *const places[] = {"", ".debug/"};
	struct file_image *m;
	int err;

	for (int i = 0; i < 2; i++) {
		for (int id = 0; id < 2; id++) {
			run("cd %s && mkdir -p .debug && cc -Wl,--no-warn-rwx-segments -O2 "
			    "-Wl,--build-id=%s -o apart p.c",
				id ? "sha1" : "none", "");
			run("cd %s && objcopy --only-keep-debug apart %sapart.debug", places[i],
				"");
			run("cd %s && objcopy -S --add-gnu-debuglink=%sapart.debug apart",
				places[i], "");
			m = open_image("apart", &err);
			CHECK(m && image_named(m, "hidden") && image_named(m, "main"));
			image_free(m);
			run("cd %s && cc -Wl,--no-warn-rwx-segments -O1 -g -Wl,--build-id=%s -o "
			    "other p.c",
				id ? "md5" : "none", "");
			run("cd %s && cp other %sapart.debug", places[i], "");
			m = open_image("apart", &err);
			CHECK(m && !image_named(m, "hidden"));
			image_free(m);
			run("cd %s && rm %sapart.debug", places[i], "");
		}
	}
}

/* Below another root, by build id and in the place that the file's own folder gives. */
static void check_root(void)
{
	char root[8192], path[8192];
	struct file_image *m;
	int fd, err;

	run("cd %s && mkdir -p root/usr/lib/debug$PWD && cc -O2 -Wl,--build-id=0xabcdef -o apart "
	    "p.c && "
	    "objcopy --only-keep-debug apart apart.dbg && strip apart",
		"", "");
	snprintf(root, sizeof(root), "%s/root", dir);
	snprintf(path, sizeof(path), "%s/apart", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	m = image_open_at(fd, &(struct elf_place){.root = root}, &err);
	CHECK(m && !image_named(m, "hidden"));
	image_free(m);
	run("cd %s/root/usr/lib/debug && mkdir -p .build-id/ab && "
	    "cp ../../../../apart.dbg .build-id/ab/cdef.debug",
		"", "");
	m = image_open_at(fd, &(struct elf_place){.root = root}, &err);
	CHECK(m && image_named(m, "hidden"));
	image_free(m);
	m = image_open(fd, &err);
	CHECK(m && !image_named(m, "hidden"));
	image_free(m);
	close(fd);
	run("cd %s && rm root/usr/lib/debug/.build-id/ab/cdef.debug && cp apart.dbg "
	    "root/usr/lib/debug$PWD && objcopy --add-gnu-debuglink=apart.dbg apart",
		"", "");
	run("cd %s && rm apart.dbg", "", "");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	m = image_open_at(fd, &(struct elf_place){.root = root}, &err);
	CHECK(m && image_named(m, "hidden"));
	image_free(m);
	close(fd);
}

/* As Fedora makes it: functions that .dynsym lacks, xz-packed. */
static void check_minidebug(void)
{
	struct file_image *m;
	int err;

	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -shared -fPIC -o mini.so p.c && "
	    "objcopy -S --remove-section .comment --keep-symbol hidden mini.so mini.dbg && "
	    "xz -c mini.dbg > mini.xz && strip mini.so && "
	    "objcopy --add-section .gnu_debugdata=mini.xz mini.so",
		"", "");
	m = open_image("mini.so", &err);
	CHECK(m);
	if (m) {
		CHECK(image_named(m, "hidden"));
		CHECK(image_named(m, "first"));
		check_order(m);
		image_free(m);
	}
	run("cd %s && head -c 40 mini.xz > bad.xz && "
	    "objcopy --update-section .gnu_debugdata=bad.xz mini.so",
		"", "");
	m = open_image("mini.so", &err);
	CHECK(m && !image_named(m, "hidden") && image_named(m, "first"));
	image_free(m);
}

static void expect_error(const void *data, size_t size, int want)
{
	int fd = memfd_create("broken", MFD_CLOEXEC), err = 0;
	struct file_image *m;

	CHECK(write(fd, data, size) == (ssize_t)size);
	m = image_open(fd, &err);
	CHECK(want ? !m : m != NULL);
	CHECK_INT(err, want);
	image_free(m);
	close(fd);
}

/* Not ELF, for another machine, and cut short or damaged anywhere: no crash. */
static void check_broken(void)
{
	static char file[1 << 20];
	Elf64_Ehdr eh = {.e_ident = ELFMAG, .e_machine = EM_X86_64};
	char path[8192];
	ssize_t size;
	uint32_t seed = 12345, n;
	int fd;

	expect_error("", 0, -ENOEXEC);
	expect_error("#!/bin/sh\n", 10, -ENOEXEC);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	expect_error(&eh, sizeof(eh), 0);
	expect_error(&eh, sizeof(eh) - 1, -ENOEXEC);
	eh.e_machine = EM_S390;
	expect_error(&eh, sizeof(eh), -ENOTSUP);
	eh.e_machine = EM_386;
	eh.e_ident[EI_CLASS] = ELFCLASS32;
	expect_error(&eh, sizeof(eh), -ENOTSUP);
	eh.e_ident[EI_DATA] = ELFDATA2MSB;
	expect_error(&eh, sizeof(eh), -ENOEXEC);
	snprintf(path, sizeof(path), "%s/pie", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = read(fd, file, sizeof(file));
	close(fd);
	CHECK(size > 4096 && size < (ssize_t)sizeof(file));
	for (int i = 0; i < 300; i++) {
		int mem = memfd_create("broken", MFD_CLOEXEC), err;
		struct file_image *m;

		seed = seed * 1103515245 + 12345;
		if (i % 2) {
			CHECK(write(mem, file, seed % (uint32_t)size) >= 0);
		} else {
			/* the file's header and its section headers are where it matters */
			size_t at = seed / 65536 % (i % 4 ? 64 : 2048);

			at = i % 4 ? at : (size_t)size - 1 - at;
			file[at] ^= (char)(1 << seed / 8192 % 8);
			CHECK(write(mem, file, (size_t)size) == size);
			file[at] ^= (char)(1 << seed / 8192 % 8);
		}
		m = image_open(mem, &err);
		CHECK(m || err);
		if (m)
			image_funcs(m, &n);
		image_free(m);
		close(mem);
	}
}

/* libc, as the dynamic linker sees it. */
static void check_libc(void)
{
	static const char *const names[] = {"getppid", "malloc", "qsort", "fork"};
	struct link_map *map = NULL;
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	struct file_image *m;
	int fd, err;

	CHECK(libc && !dlinfo(libc, RTLD_DI_LINKMAP, &map));
	fd = open(map->l_name, O_RDONLY | O_CLOEXEC);
	m = image_open(fd, &err);
	close(fd);
	CHECK(m);
	if (!m)
		return;
	check_order(m);
	for (int i = 0; i < 4; i++) {
		const struct image_func *f = image_named(m, names[i]);
		unsigned char code[16];

		CHECK(f);
		if (!f)
			continue;
		CHECK_INT(f->vaddr, (uintptr_t)dlsym(libc, names[i]) - map->l_addr);
		CHECK(image_code(m, f->vaddr, code, sizeof(code)));
		CHECK(!memcmp(code, dlsym(libc, names[i]), sizeof(code)));
	}
	CHECK(image_is_dynamic(m));
	image_free(m);
	dlclose(libc);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/image.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(dir));
	write_source();
	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -fpie -pie -o pie p.c", "", "");
	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -fno-pie -no-pie -o nopie p.c", "", "");
	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -static -o static p.c", "", "");
	run("cd %s && cc -Wl,--no-warn-rwx-segments -O2 -static-pie -fpie -o staticpie p.c", "",
		"");
	check_whole("pie", true);
	check_whole("nopie", true);
	check_whole("static", false);
	check_whole("staticpie", true);
	check_meant();
	check_cost();
	check_versions();
	check_stripped();
	check_debug_file();
	check_root();
	check_minidebug();
	check_broken();
	check_libc();
	run("rm -r %s", "", "");
	return test_done();
}
