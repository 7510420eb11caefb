// SPDX-License-Identifier: Apache-2.0
/*
 * -h and -G from provider blocks made by hand, without a session: the header, the object with the
 * semaphores, and the messages of both.
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "elf/file.h"
#include "sema/typed.h"
#include "usdt/header.h"
#include "usdt/link.h"

static struct arena *arena;
static struct report report = {.error = ""};

static struct provider_block *make_block(const char *name, const char *probe, uint32_t nargs)
{
	struct provider_block *b = arena_new_obj(arena, struct provider_block);
	struct provider_block_probe *p = vec_add(arena, &b->probes);

	b->name = name;
	p->name = probe;
	p->nargs = nargs;
	return b;
}

/* ---- the header ---- */

static int header_of(const struct provider_block *const *blocks, uint32_t n, char **text)
{
	size_t len;
	FILE *out = open_memstream(text, &len);
	int err = usdt_header_write(blocks, n, "dir/my-probes.h", out, &report);

	fclose(out);
	return err;
}

static void check_header(void)
{
	const struct provider_block *blocks[] = {
		make_block("shop", "order__start", 2), make_block("till", "open", 0)};
	char *text = NULL;

	report.error = "";
	CHECK_INT(header_of(blocks, 2, &text), 0);
	CHECK_STR(report.error, "");
	CHECK(strstr(text, "#ifndef\t_MY_PROBES_H\n"));
	CHECK(strstr(text, "#define\tSHOP_ORDER_START(arg0, arg1)"));
	CHECK(strstr(text, "#define\tSHOP_ORDER_START_ENABLED()"));
	CHECK(strstr(text, "#define\tTILL_OPEN()"));
	CHECK(strstr(text, "extern unsigned short shop_order__start_semaphore"));
	free(text);
}

static void check_header_errors(void)
{
	const struct provider_block *most = make_block("shop", "order", 12);
	const struct provider_block *more = make_block("shop", "order", 13);
	FILE *full = fopen("/dev/full", "w");
	char *text = NULL;

	report.error = "";
	CHECK_INT(header_of(&most, 1, &text), 0);
	free(text);
	CHECK_STR(report.error, "");
	CHECK_INT(header_of(&more, 1, &text), -E2BIG);
	CHECK_STR(report.error, "probe shop:order has 13 arguments, at most 12 are possible");
	free(text);
	CHECK_INT(usdt_header_write(&most, 1, "a.h", full, &report), -ENOSPC);
	CHECK_STR(report.error, strerror(ENOSPC));
	fclose(full);
}

/* ---- the object ---- */

/* The number of symbols of the object at PATH that are called NAME. */
static unsigned symbols_named(const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_file f;
	struct elf_tables t;
	unsigned n = 0;

	CHECK_INT(elf_file_open(&f, fd), 0);
	CHECK_INT(elf_tables_load(&f, NULL, &t), 0);
	for (uint32_t i = 0; i < t.n; i++)
		for (uint32_t k = 0; k < t.v[i].n; k++)
			n += !strcmp(elf_symbol_name(&t.v[i], &t.v[i].v[k]), name);
	elf_tables_free(&t);
	elf_file_close(&f);
	close(fd);
	return n;
}

/* Only the providers of its own are in the object. */
static void check_link(const char *output)
{
	const struct provider_block *known[] = {
		make_block("shop", "order__start", 2), make_block("till", "open", 0)};
	struct usdt_link_job job = {
		.known = known, .nknown = 2, .own = known, .nown = 1, .output = output};

	report.error = "";
	CHECK_INT(usdt_link(&job, &report), 0);
	CHECK_STR(report.error, "");
	CHECK_INT(symbols_named(output, "shop_order__start_semaphore"), 1);
	CHECK_INT(symbols_named(output, "__dtraceenabled_shop___order__start"), 1);
	CHECK_INT(symbols_named(output, "till_open_semaphore"), 0);
}

static void check_link_errors(const char *output)
{
	char *missing[] = {(char *)"/nowhere/a.o"}, *text[] = {(char *)output};
	struct usdt_link_job job = {.objects = missing, .nobjects = 1, .output = output};
	FILE *f = fopen(output, "w");
	char want[256];

	fputs("no object\n", f);
	fclose(f);
	report.error = "";
	CHECK_INT(usdt_link(&job, &report), -ENOENT);
	CHECK_STR(report.error, "failed to open /nowhere/a.o: No such file or directory");
	job.objects = text;
	CHECK_INT(usdt_link(&job, &report), -EINVAL);
	snprintf(want, sizeof(want), "invalid file type: %s", output);
	CHECK_STR(report.error, want);
	job = (struct usdt_link_job){.output = "/nowhere/out.o"};
	CHECK_INT(usdt_link(&job, &report), -ENOENT);
	CHECK_STR(report.error, "failed to open /nowhere/out.o: No such file or directory");
}

int main(void)
{
	char output[] = "/tmp/dtrace-test-XXXXXX";
	int fd = mkstemp(output);

	arena = arena_new();
	report.arena = arena;
	check_header();
	check_header_errors();
	check_link(output);
	check_link_errors(output);
	arena_free(arena);
	close(fd);
	unlink(output);
	return test_done();
}
