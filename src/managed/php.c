// SPDX-License-Identifier: Apache-2.0
/*
 * Finds PHP's Zend Engine in a process.
 *
 * Its structures are those of a minor version; their offsets are from the headers that extensions
 * are compiled with (8.2.36: Zend/zend_compile.h, zend_globals.h, zend_generators.h).  They are
 * checked against the process's table of modules, of which each says what it was compiled for.
 */
#define _GNU_SOURCE /* memmem() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/managed.h"
#include "arch/native.h"
#include "elf/file.h"
#include "managed/code.h"
#include "managed/managed.h"
#include "sym/process.h"

/* A version: what the walker needs, and what the checks need as well. */
struct php {
	uint32_t api;				       /* ZEND_MODULE_API_NO */
	uint16_t current;			       /* in executor_globals */
	uint16_t table_data, table_used, bucket_value; /* HashTable and its elements */
	struct dt_php walk;
};

static const struct php versions[] = {
	{
		.api = 20220829,
		.current = 488,
		.table_data = 16,
		.table_used = 24,
		.bucket_value = 0,
		.walk =
			{
				.version = 0x802,
				.frame_opline = 0,
				.frame_value = 16,
				.frame_function = 24,
				.frame_info = 40,
				.frame_previous = 48,
				.function_name = 8,
				.function_scope = 16,
				.function_last = 80,
				.function_opcodes = 88,
				.function_file = 152,
				.function_line = 160,
				.class_name = 8,
				.op_size = 32,
				.op_line = 24,
				.generator_children = 160,
				.generator_child = 168,
				.generator_frame = 56,
				.generator_fake = 184,
			},
	},
};

#define KNOWN "PHP 8.2"

struct php_search {
	pid_t pid;
	struct dt_php *out;
	char *why;
	size_t size;
};

static enum managed_found refuse(const struct php_search *s, const char *what)
{
	char php[96];

	snprintf(php, sizeof(php), "PHP, %s", what);
	return managed_refuse(s->why, s->size, s->pid, php, KNOWN);
}

/* ---- which version ---- */

enum {
	S_LOOP,
	S_GLOBALS,
	S_MODULES,
	S_NEEDED, /* the rest need not be there */
	S_ZTS = S_NEEDED,
	S_DEBUG,
	S_COUNT
};

static const struct managed_symbol wanted[S_COUNT] = {
	[S_LOOP] = {.name = "execute_ex"},
	[S_GLOBALS] = {.name = "executor_globals"},
	[S_MODULES] = {.name = "module_registry"},
	[S_ZTS] = {.name = "executor_globals_offset"}, /* each thread has its own */
	[S_DEBUG] = {.name = "zend_rc_debug"},	       /* --enable-debug */
};

/* What each program with PHP has as a whole (SAPI_PHP_VERSION_HEADER in main/SAPI.h). */
#define HEADER "X-Powered-By: PHP/"

/* Reads the version as the file says it, "8.2.36", to VERSION; false: it does not. */
static bool read_version(pid_t pid, const struct process_object *o, char version[16])
{
	int fd = process_open(pid, o);
	const Elf64_Shdr *sh;
	struct elf_file f;

	*version = '\0';
	if (fd >= 0 && !elf_file_open(&f, fd)) {
		sh = elf_file_section(&f, ".rodata", SHT_PROGBITS);
		char *data = sh ? elf_file_content(&f, sh) : NULL;
		const char *at = data ? memmem(data, sh->sh_size, HEADER, sizeof(HEADER) - 1) : 0;

		if (at)
			snprintf(version, 16, "%s", at + sizeof(HEADER) - 1);
		free(data);
		elf_file_close(&f);
	}
	if (fd >= 0)
		close(fd);
	return *version;
}

/* ---- checks ---- */

/* struct zend_module_entry (Zend/zend_modules.h), the same since PHP 5 */
struct module {
	uint16_t size;
	uint32_t api;
	uint8_t debug, zts;
};

/* True if the first module was compiled for this version, or if PHP has not begun. */
static bool check_modules(pid_t pid, const struct php *v, uint64_t registry)
{
	uint64_t data = managed_word(pid, registry + v->table_data), entry;
	struct module m;

	if (!(uint32_t)managed_word(pid, registry + v->table_used))
		return true;
	entry = managed_word(pid, data + v->bucket_value);
	return managed_read(pid, entry, &m, sizeof(m)) && m.api == v->api && !m.debug && !m.zts;
}

/* ---- the interpreter ---- */

/*
 * Returns the address of the instruction that goes on with the first opcode, in what is read of the
 * function's beginning; 0: there is none.
 */
static uint64_t find_dispatch(
	pid_t pid, const struct process_object *o, uint64_t loop, uint64_t loop_size)
{
	uint8_t code[128];
	size_t size = loop_size < sizeof(code) ? loop_size : sizeof(code);
	size_t at;

	if (!managed_read_code(pid, o, loop, code, size))
		return 0;
	at = native_dispatches(code, size);
	return at < size ? loop + at : 0;
}

static enum managed_found find_in(const struct php_search *s, const struct process_object *o,
	const struct managed_symbol *sym, const struct php *v)
{
	struct dt_php *out = s->out;
	struct managed_code code;

	*out = v->walk;
	out->loop = sym[S_LOOP].addr;
	out->loop_size = sym[S_LOOP].size;
	out->current = sym[S_GLOBALS].addr + v->current;
	out->dispatch = find_dispatch(s->pid, o, out->loop, out->loop_size);
	if (!out->dispatch)
		return refuse(s, "whose interpreter is not compiled as GCC does it");
	if (managed_code_load(s->pid, o, &code)) {
		struct managed_range cold =
			managed_code_cold(&code, (struct managed_range){out->loop, out->loop_size});

		out->cold = cold.start;
		out->cold_size = cold.size;
		managed_code_free(&code);
	}
	if (!check_modules(s->pid, v, sym[S_MODULES].addr))
		return refuse(s, "whose modules are not of its version");
	return MANAGED_FOUND;
}

static bool may_be(const struct process_object *o)
{
	return !strncmp(o->name, "php", 3) || !strncmp(o->name, "libphp", 6);
}

static enum managed_found find_php(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	const struct php_search s = {pid, &out->php, why, size};
	struct managed_symbol sym[S_COUNT];
	const struct php *known;
	unsigned major, minor;
	char version[16];

	memcpy(sym, wanted, sizeof(sym));
	managed_symbols(pid, o, sym, S_COUNT);
	if (!sym[S_LOOP].addr)
		return MANAGED_NONE;
	if (!read_version(pid, o, version))
		return refuse(&s, "whose version is not known");
	if (sscanf(version, "%2u.%2u", &major, &minor) != 2 ||
		!(known = MANAGED_VERSION(versions, walk.version, major << 8 | minor)))
		return refuse(&s, version);
	if (sym[S_ZTS].addr)
		return refuse(&s, "a build for threads (ZTS)");
	if (sym[S_DEBUG].addr)
		return refuse(&s, "a build with --enable-debug");
	for (int i = 0; i < S_NEEDED; i++)
		if (!sym[i].addr)
			return refuse(&s, "whose symbols are not all there");
	return find_in(&s, o, sym, known);
}

const struct managed_language managed_php = {
	.name = "PHP",
	.lang = DT_LANG_PHP,
	.may_be = may_be,
	.find = find_php,
};
