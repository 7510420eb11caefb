// SPDX-License-Identifier: Apache-2.0
/*
 * Finds Ruby (MRI) in a process.
 *
 * Its structures are those of a minor version.  The offsets were read from the machine code of
 * functions that libruby exports (3.1.7: rb_profile_frames, rb_iseq_label, rb_iseq_line_no).  The
 * code of the process is looked at in the same way: where it has another offset it is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/managed.h"
#include "arch/native.h"
#include "managed/code.h"
#include "managed/managed.h"
#include "sym/process.h"

static const struct dt_ruby versions[] = {
	{
		.version = 0x301,
		.ec_frame = 16,
		.frame_size = 64,
		.frame_pc = 0,
		.frame_iseq = 16,
		.frame_env = 32,
		.iseq_body = 16,
		.body_size = 4,
		.body_code = 8,
		.body_path = 64,
		.body_label = 80,
		.body_line = 88,
		.body_lines = 120,
		.body_lines_count = 136,
		.body_lines_index = 144,
		.line_size = 12,
	},
};

#define KNOWN "Ruby 3.1"

struct ruby_search {
	pid_t pid;
	struct dt_ruby *out;
	char *why;
	size_t size;
};

enum { S_EXEC, S_VERSION, S_EC, S_LABEL, S_LINE, S_PATH, S_FRAMES, S_COUNT };

static const struct managed_symbol wanted[S_COUNT] = {
	[S_EXEC] = {.name = "rb_vm_exec"},
	[S_VERSION] = {.name = "ruby_version"}, /* "3.1.7" */
	[S_EC] = {.name = "ruby_current_ec"},
	[S_LABEL] = {.name = "rb_iseq_label"},
	[S_LINE] = {.name = "rb_iseq_first_lineno"},
	[S_PATH] = {.name = "rb_iseq_path"},
	[S_FRAMES] = {.name = "rb_profile_frames"},
};

static enum managed_found refuse(const struct ruby_search *s, const char *what)
{
	char ruby[96];

	snprintf(ruby, sizeof(ruby), "Ruby, %s", what);
	return managed_refuse(s->why, s->size, s->pid, ruby, KNOWN);
}

/* ---- what the code says ---- */

#define CODE_MAX 512

struct code {
	uint8_t bytes[CODE_MAX];
	size_t n;
	uint64_t at;
};

static bool read_code(
	pid_t pid, const struct process_object *o, const struct managed_symbol *s, struct code *c)
{
	c->n = s->size < CODE_MAX ? s->size : CODE_MAX;
	c->at = s->addr;
	return c->n && managed_read_code(pid, o, s->addr, c->bytes, c->n);
}

/* True if the function gets member OFF of an iseq's body. */
static bool gets_member(pid_t pid, const struct process_object *o, const struct managed_symbol *s,
	const struct dt_ruby *v, uint16_t off)
{
	struct code c;

	return read_code(pid, o, s, &c) &&
		native_gets_member(c.bytes, c.n, (uint8_t)v->iseq_body, (uint8_t)off);
}

/* True if C goes from frame to frame as V says. */
static bool walks_frames(const struct code *c, const struct dt_ruby *v)
{
	return native_walks_frames(c->bytes, c->n, (uint8_t)v->frame_size, (uint8_t)v->ec_frame,
		(uint8_t)v->frame_env);
}

/* ---- the interpreter ---- */

static bool find_loop(const struct process_object *o, const struct ruby_search *s)
{
	struct dt_ruby *out = s->out;
	struct managed_range exec = {out->exec, out->exec_size}, loop, cold;
	struct managed_code code;

	if (!managed_code_load(s->pid, o, &code))
		return false;
	loop = managed_code_called(&code, exec);
	out->loop = loop.start;
	out->loop_size = loop.size;
	cold = managed_code_cold(&code, loop);
	out->loop_cold = cold.start;
	out->loop_cold_size = cold.size;
	cold = managed_code_cold(&code, exec);
	out->exec_cold = cold.start;
	out->exec_cold_size = cold.size;
	managed_code_free(&code);
	return loop.size != 0;
}

static bool may_be(const struct process_object *o)
{
	return !strncmp(o->name, "ruby", 4) || !strncmp(o->name, "libruby", 7);
}

static enum managed_found find_in(const struct ruby_search *s, const struct process_object *o,
	const struct managed_symbol *sym, const struct dt_ruby *v)
{
	struct code frames;

	for (int i = 0; i < S_COUNT; i++)
		if (!sym[i].addr)
			return refuse(s, "whose symbols are not all there");
	*s->out = *v;
	s->out->exec = sym[S_EXEC].addr;
	s->out->exec_size = sym[S_EXEC].size;
	if (!read_code(s->pid, o, &sym[S_FRAMES], &frames) || !walks_frames(&frames, v) ||
		!gets_member(s->pid, o, &sym[S_LABEL], v, v->body_label) ||
		!gets_member(s->pid, o, &sym[S_LINE], v, v->body_line) ||
		!gets_member(s->pid, o, &sym[S_PATH], v, v->body_path))
		return refuse(s, "whose structures are not those of its version");
	s->out->tls = native_tls_index(frames.bytes, frames.n, frames.at);
	if (!s->out->tls)
		return refuse(s, "which is not in a shared library");
	if (!find_loop(o, s))
		return refuse(s, "whose interpreter is not found");
	return MANAGED_FOUND;
}

static enum managed_found find_ruby(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	const struct ruby_search s = {pid, &out->ruby, why, size};
	struct managed_symbol sym[S_COUNT];
	const struct dt_ruby *known;
	unsigned major, minor;
	char version[8] = "";

	memcpy(sym, wanted, sizeof(sym));
	managed_symbols(pid, o, sym, S_COUNT);
	if (!sym[S_VERSION].addr) /* a program that uses libruby */
		return MANAGED_NONE;
	if (!managed_read(pid, sym[S_VERSION].addr, version, 6) ||
		sscanf(version, "%2u.%2u", &major, &minor) != 2)
		return refuse(&s, "whose version is not known");
	known = MANAGED_VERSION(versions, version, major << 8 | minor);
	return known ? find_in(&s, o, sym, known) : refuse(&s, version);
}

const struct managed_language managed_ruby = {
	.name = "Ruby",
	.lang = DT_LANG_RUBY,
	.may_be = may_be,
	.find = find_ruby,
};
