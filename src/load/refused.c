// SPDX-License-Identifier: Apache-2.0
/* Finds out why and where the kernel's verifier gave up on a program that is too long for it. */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/internal.h"

/* What the verifier says (kernel/bpf/verifier.c, kernel/bpf/core.c). */
static const struct {
	const char *text;
	enum load_limit limit;
} complaints[] = {
	{"BPF program is too large. Processed", LIMIT_INSNS},
	{"jumps is too complex", LIMIT_BRANCHES},
	{"too many subprograms", LIMIT_FUNCTIONS},
	{"cannot be patched due to 16-bit range", LIMIT_INSNS},
};

static enum load_limit limit_of(const struct load *l, int err)
{
	for (size_t i = 0; l->log.len && i < sizeof(complaints) / sizeof(complaints[0]); i++)
		if (memmem(l->log.data, l->log.len, complaints[i].text, strlen(complaints[i].text)))
			return complaints[i].limit;
	/* without a log there is the error alone: of the instructions, of the branches */
	if (l->log.len)
		return LIMIT_NONE;
	return err == -E2BIG ? LIMIT_INSNS : err == -EFAULT ? LIMIT_BRANCHES : LIMIT_NONE;
}

/* Returns the start of the line before the one that AT is in; NULL = there is none. */
static const char *line_before(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	if (at == text)
		return NULL;
	for (at--; at > text && at[-1] != '\n';)
		at--;
	return at;
}

/* ---- where ---- */

/* "; source text @ FILE:LINE": the verifier names the source from 6.8 on. */
static bool find_source(const char *text, size_t len, struct load_refusal *r)
{
	const char *line = text + len;

	while ((line = line_before(text, line))) {
		const char *end = memchr(line, '\n', len - (size_t)(line - text)), *at = end,
			   *colon;

		if (line[0] != ';' || !end)
			continue;
		while (at > line && strncmp(at, " @ ", 3) != 0)
			at--;
		colon = memrchr(at, ':', (size_t)(end - at));
		if (at == line || !colon || (size_t)(colon - at) - 3 >= sizeof(r->file))
			continue;
		memcpy(r->file, at + 3, (size_t)(colon - at) - 3);
		r->line = (unsigned)strtoul(colon + 1, NULL, 10);
		return true;
	}
	return false;
}

/* Returns the number of the instruction that LINE of the log is about: "123: (85) call ...". */
static uint32_t insn_of(const char *line)
{
	char *end;
	unsigned long n;

	if (!isdigit((unsigned char)*line))
		return LOAD_NOWHERE;
	n = strtoul(line, &end, 10);
	return strncmp(end, ": (", 3) ? LOAD_NOWHERE : (uint32_t)n;
}

/* Returns the last instruction in the log that is below N; LOAD_NOWHERE: there is none. */
static uint32_t last_insn(const char *text, size_t len, uint32_t n)
{
	const char *line = text + len;
	uint32_t insn;

	while ((line = line_before(text, line))) {
		insn = insn_of(line);
		if (insn < n)
			return insn;
	}
	return LOAD_NOWHERE;
}

#define VALIDATING "Validating " /* NAME() func#N... */

/*
 * Global functions are verified after the program, each by itself; others where they are called.
 */
static void find_insn(const struct load *l, struct load_refusal *r)
{
	const char *text = l->log.data, *end = text + l->log.len, *from = NULL;
	uint32_t first = LOAD_NOWHERE;

	for (const char *p = text; (p = memmem(p, (size_t)(end - p), VALIDATING, 11)); p++)
		from = p;
	if (!from) {
		r->insn = last_insn(text, l->log.len, l->preparing->ninsns);
		return;
	}
	for (const char *p = from; p && first == LOAD_NOWHERE; p = p ? p + 1 : NULL) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (p)
			first = insn_of(p + 1);
	}
	r->insn = last_insn(from, (size_t)(end - from), LOAD_NOWHERE);
	if (r->insn != LOAD_NOWHERE)
		r->insn -= first;
	snprintf(r->function, sizeof(r->function), "%.*s", (int)strcspn(from + 11, "("), from + 11);
}

bool load_find_limit(struct load *l, int err)
{
	enum load_limit limit = l->preparing && !l->log.failed ? limit_of(l, err) : LIMIT_NONE;
	struct load_refusal *r = &l->refusal;

	if (!limit)
		return false;
	*r = (struct load_refusal){.limit = limit,
		.prog = (uint32_t)(l->preparing - l->image.progs),
		.insn = LOAD_NOWHERE};
	if (l->log.len && !find_source(l->log.data, l->log.len, r))
		find_insn(l, r);
	return true;
}

/* The verifier says so before it looks at the program (check_attach_btf_id()). */
#define UNREAD "processed 0 insns"

bool load_refused_function(const struct load *l)
{
	const struct load_prog *p = l->preparing;

	return p && (p->plan.kind == ATTACH_FENTRY || p->plan.kind == ATTACH_FEXIT) && l->log.len &&
		memmem(l->log.data, l->log.len, UNREAD, sizeof(UNREAD) - 1);
}

const struct load_refusal *load_refusal(const struct load *l)
{
	return l->refusal.limit ? &l->refusal : NULL;
}
