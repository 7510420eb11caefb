// SPDX-License-Identifier: Apache-2.0
/* Emits the probes of one function: its entry, its return, its instructions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/control.h"
#include "arch/insn.h"
#include "base/arena.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "prov/pid.h"
#include "prov/pid_search.h"
#include "sym/growth.h"
#include "sym/image.h"
#include "sym/userland.h"

#define MAX_PLACES 262144 /* single instructions that a description may match */

static void emit_probe(struct pid_search *s, const struct pid_place *place, const char *name)
{
	struct pid_place *p = arena_new_obj(s->env->arena, struct pid_place);

	*p = *place;
	p->pid = s->scope == IN_PROCESS ? s->pid : 0;
	p->scope = s->scope;
	p->main = s->main;
	s->env->file = p->file;
	s->env->twin = 0;
	s->env->source = NULL;
	if (p->func && !image_is_one(p->file->image, p->func)) {
		s->env->twin = p->func->vaddr;
		s->env->source = p->func->source;
	}
	s->emit(s->arg, -1, s->prov, p->file->name, p->func ? p->func->name : "-", name,
		(uintptr_t)p);
}

void pid_emit_place(struct pid_search *s, struct user_file *file, const struct image_func *f,
	enum pid_what what, uint64_t vaddr, const char *name)
{
	struct pid_place p = {.file = file, .func = f, .what = what};

	if (image_offset(file->image, vaddr, &p.addr))
		emit_probe(s, &p, name);
}

/*
 * True if the probe is placed after the first instruction.  With checks of indirect branches
 * functions begin with one at which these arrive, which most kernels single-step and which changes
 * nothing: the next instruction is probed if that is cheaper.  Not if it is a jump: where it leaves
 * the function, the return is at the same place, and which of the two programs runs first is not
 * certain.
 */
static bool shifts(const struct user_file *file, const struct image_func *f)
{
	uint8_t code[ARCH_LANDING + INSN_MAX];
	const uint8_t *next = code + ARCH_LANDING;
	enum insn_kind kind;
	struct control to;

	return f->size > ARCH_LANDING && image_code(file->image, f->vaddr, code, sizeof(code)) &&
		insn_landing(code, sizeof(code)) && insn_decode(next, INSN_MAX, &kind) &&
		kind == INSN_EMULATED && control_decode(next, INSN_MAX, &to) &&
		to.kind != CONTROL_JUMP;
}

bool pid_can_probe(const struct user_file *file, uint64_t vaddr)
{
	uint8_t code[INSN_MAX];
	enum insn_kind kind;
	size_t n = sizeof(code);

	while (n && !image_code(file->image, vaddr, code, n))
		n--; /* near the end of the code */
	return insn_decode(code, n, &kind) && kind != INSN_REFUSED;
}

static void emit_entry(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	uint64_t behind = growth_behind_check(file->image, f);

	if (shifts(file, f))
		pid_emit_place(s, file, f, SHIFTED, f->vaddr + ARCH_LANDING, "entry");
	else if (behind && pid_can_probe(file, behind))
		pid_emit_place(s, file, f, ENTRY, behind, "entry");
	else
		pid_emit_place(s, file, f, ENTRY, f->vaddr, "entry");
}

static int pid_create_failed(struct pid_search *s, const char *what)
{
	return pid_refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(s->env->arena, "%s: the kernel cannot probe this instruction", what));
}

/* No return probe can be placed in F, because of WHY. */
static int no_return(struct pid_search *s, const struct image_func *f, const char *why)
{
	if (!s->spelled)
		return 0;
	return pid_refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(
			s->env->arena, "failed to create return probe for '%s': %s", f->name, why));
}

static int emit_return(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	struct pid_place p = {.file = file, .func = f};
	const char *why = NULL;
	int err = pid_returns(s->env, &p, &why);

	if (err)
		return err;
	if (why)
		return no_return(s, f, why);
	emit_probe(s, &p, "return");
	return 0;
}

/* Emits the entry of F and its return, as far as NAME matches them. */
static int emit_ends(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	if (s->entry && !pid_can_probe(file, f->vaddr)) {
		env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, "entry");
		if (s->spelled)
			return pid_create_failed(s,
				arena_printf(s->env->arena, "failed to create entry probe for '%s'",
					f->name));
	} else if (s->entry) {
		emit_entry(s, file, f);
	}
	return s->ret ? emit_return(s, file, f) : 0;
}

/* True if a probe at the instruction CODE, of LEN bytes at most, would change data below the stack
 * pointer. */
static bool harms_red_zone(struct provider_env *env, const uint8_t *code, size_t len)
{
	return insn_is_nop5(code, len) && !env_has(env, FEATURE_UPROBE_NOP5);
}

bool pid_nop_at(struct provider_env *env, const struct user_file *file, uint64_t vaddr)
{
	uint8_t code[INSN_NOP5];

	return image_code(file->image, vaddr, code, sizeof(code)) &&
		harms_red_zone(env, code, sizeof(code));
}

/* Emits the instructions of F whose offsets match NAME. */
static int emit_offsets(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	uint8_t *code = malloc(f->size);
	uint32_t *at, n = 0;

	arena_own(s->env->arena, free, code);
	at = calloc(f->size, sizeof(*at));
	arena_own(s->env->arena, free, at);
	if (code && at && f->size < UINT32_MAX && image_code(file->image, f->vaddr, code, f->size))
		n = insn_boundaries(code, f->size, at, (uint32_t)f->size);
	for (uint32_t i = 0; i < n && s->places <= MAX_PLACES; i++) {
		enum insn_kind kind;
		char name[20];

		snprintf(name, sizeof(name), "%x", at[i]);
		if (!glob_match(s->pat->name, name))
			continue;
		insn_decode(code + at[i], f->size - at[i], &kind);
		if (kind == INSN_REFUSED) {
			env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, name);
			continue;
		}
		if (at[i] && harms_red_zone(s->env, code + at[i], f->size - at[i])) {
			env_leave_out(s->env, LEFT_RED_ZONE, file->name, f->name, name);
			continue;
		}
		s->places++;
		pid_emit_place(
			s, file, f, OFFSET, f->vaddr + at[i], arena_strdup(s->env->arena, name));
	}
	arena_release(s->env->arena, at);
	arena_release(s->env->arena, code);
	if (s->places <= MAX_PLACES)
		return 0;
	return pid_refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(s->env->arena,
			"failed to create probes at '%s+*': more than %u instructions match",
			f->name, MAX_PLACES));
}

bool pid_begins_insn(const struct user_file *file, const struct image_func *f, uint64_t offset)
{
	uint8_t *code = malloc(f->size);
	uint64_t at = 0;

	if (!code || !image_code(file->image, f->vaddr, code, f->size)) {
		free(code);
		return false;
	}
	while (at < offset) {
		unsigned len = insn_decode(code + at, f->size - at, NULL);

		if (!len)
			break;
		at += len;
	}
	free(code);
	return at == offset;
}

static int emit_offset(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	const char *what = arena_printf(s->env->arena, "failed to create probes at '%s+0x%llx'",
		f->name, (unsigned long long)s->offset);

	if (s->offset >= f->size)
		return 0;
	if (!pid_begins_insn(file, f, s->offset))
		return s->spelled ? pid_refuse(s->env, "D_PROC_CREATEFAIL",
					    arena_printf(s->env->arena,
						    "%s: no instruction begins there", what))
				  : 0;
	if (!pid_can_probe(file, f->vaddr + s->offset)) {
		env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, s->pat->name);
		return s->spelled ? pid_create_failed(s, what) : 0;
	}
	if (s->offset && pid_nop_at(s->env, file, f->vaddr + s->offset)) {
		env_leave_out(s->env, LEFT_RED_ZONE, file->name, f->name, s->pat->name);
		return s->spelled ? pid_refuse(s->env, "D_PROC_CREATEFAIL",
					    arena_printf(s->env->arena, "%s: %s", what,
						    left_reason(LEFT_RED_ZONE)))
				  : 0;
	}
	pid_emit_place(s, file, f, OFFSET, f->vaddr + s->offset,
		arena_printf(s->env->arena, "%llx", (unsigned long long)s->offset));
	return 0;
}

int pid_emit_function(struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	int err = emit_ends(s, file, f);

	if (!err && s->offsets)
		err = emit_offsets(s, file, f);
	if (!err && s->one)
		err = emit_offset(s, file, f);
	return err;
}
