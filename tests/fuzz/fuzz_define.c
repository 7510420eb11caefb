// SPDX-License-Identifier: Apache-2.0
/*
 * Feeds any text to dtrace -h and -G without objects: definitions of providers, the header and the
 * object made from them.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile.h"
#include "elf/file.h"
#include "input.h"
#include "sema/typed.h"
#include "usdt/header.h"
#include "usdt/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_header(const struct sema_program *p, struct report *report)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (usdt_header_write((const struct provider_block *const *)p->providers.data,
		    p->providers.len, "dir/fuzz-probes.h", out, report) &&
		!*report->error)
		abort();
	fclose(out);
	free(text);
}

static void make_object(const struct sema_program *p, struct report *report)
{
	char path[FUZZ_PATH_SIZE];
	int fd = fuzz_file("", 0);
	struct usdt_link_job job = {.output = fuzz_path(fd, path)};
	struct elf_file f;

	job.known = job.own = (const struct provider_block *const *)p->providers.data;
	job.nknown = job.nown = p->providers.len;
	if (usdt_link(&job, report) ? !*report->error : elf_file_open(&f, fd) != 0)
		abort();
	if (!*report->error)
		elf_file_close(&f);
	close(fd);
}

static void make(void *arg, const struct sema_program *p)
{
	struct arena *a = arena_new();
	struct report report = {.arena = a, .error = ""};

	if (p->providers.len) {
		make_header(p, &report);
		report.error = "";
		make_object(p, &report);
	}
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fuzz_way way = {.is_file = true, .level = SPEC_NAME, .use = make};

	fuzz_compile(data, size, &way);
	return 0;
}
