// SPDX-License-Identifier: Apache-2.0
/*
 * Finds V8 in a process: that of Node.js, as a program or a library.
 *
 * V8 is built with symbols that tell debuggers its layout, v8dbg_*; their values are read from the
 * process.  What they do not tell is in a table by version: releases of a minor version share it.
 */
#include <stdio.h>
#include <string.h>

#include "abi/managed.h"
#include "managed/managed.h"
#include "sym/process.h"

#define NONE DT_MANAGED_NONE

/* What v8dbg_* does not tell; the members of struct dt_v8 say what they are. */
static const struct dt_v8 versions[] = {
	{
		.version = 0xa02, /* Node.js 18 */
		.scope_module = 3,
		.script_id = 64,
		.bytecodes_positions = 32,
		.stream_header = 128,
		.stream_code = NONE,
		.code_deopt = 16,
		.code_positions = 24,
		.code_flags = 48,
		.code_size = 40,
		.deopt_literals = 2,
		.deopt_shared = 6,
		.deopt_inlining = 7,
	},
	{
		.version = 0xb03, /* Node.js 20 */
		.scope_module = 3,
		.script_id = 64,
		.bytecodes_positions = 32,
		.stream_header = 16,
		.stream_code = 8,
		.code_deopt = 16,
		.code_positions = 24,
		.code_flags = 48,
		.code_size = 56,
		.deopt_literals = 2,
		.deopt_shared = 6,
		.deopt_inlining = 7,
	},
	{
		.version = 0xc04, /* Node.js 22 */
		.scope_module = 3,
		.script_id = 64,
		.bytecodes_positions = 24,
		.stream_header = 32,
		.stream_code = 8,
		.code_deopt = 8,
		.code_positions = 16,
		.code_flags = 48,
		.code_size = 52,
		.deopt_literals = 2,
		.deopt_shared = 6,
		.deopt_inlining = 7,
	},
	{
		.version = 0xd06, /* Node.js 24 */
		.scope_module = 5,
		.script_id = 64,
		.bytecodes_positions = 24,
		.scope_position_first = 1,
		.stream_header = 32,
		.stream_code = 8,
		.code_deopt = 8,
		.code_positions = 16,
		.code_flags = 52,
		.code_size = 56,
		.deopt_literals = 3,
		.deopt_shared = 7,
		.deopt_wrapped = 1,
		.deopt_inlining = 8,
	},
};

#define KNOWN "10.2, 11.3, 12.4 and 13.6 (Node.js 18, 20, 22 and 24)"

static bool may_be(const struct process_object *o)
{
	return !strncmp(o->name, "node", 4) || !strncmp(o->name, "libnode", 7) ||
		!strncmp(o->name, "electron", 8) || !strncmp(o->name, "libv8", 5);
}

/* Where values go, and the symbols that have them: a member has had more than one type. */
#define DBG_NAMES 3
static const struct dbg {
	size_t at; /* in struct dt_v8 */
	int add;
	const char *name[DBG_NAMES];
} dbg[] = {
#define AT(member) offsetof(struct dt_v8, member)
	{AT(type_map), 0, {"type_Map__MAP_TYPE"}},
	{AT(type_oddball), 0, {"type_Oddball__ODDBALL_TYPE"}},
	{AT(type_function), 0, {"type_JSFunction__JS_FUNCTION_TYPE"}},
	/* the types of constructors are next to it */
	{AT(type_function_last), 16, {"type_JSFunction__JS_FUNCTION_TYPE"}},
	{AT(type_sfi), 0, {"type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE"}},
	{AT(type_scope_info), 0, {"type_ScopeInfo__SCOPE_INFO_TYPE"}},
	{AT(type_script), 0, {"type_Script__SCRIPT_TYPE"}},
	{AT(type_bytecodes), 0, {"type_BytecodeArray__BYTECODE_ARRAY_TYPE"}},
	{AT(type_byte_array), 0, {"type_ByteArray__BYTE_ARRAY_TYPE"}},
	{AT(type_trusted_byte_array), 0,
		{"type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE",
			"type_ByteArray__BYTE_ARRAY_TYPE"}},
	{AT(type_stream), 0,
		{"type_InstructionStream__INSTRUCTION_STREAM_TYPE", "type_Code__CODE_TYPE"}},
	{AT(frame_wasm), 0, {"frametype_WasmFrame"}},
	{AT(function_shared), 0, {"class_JSFunction__shared__SharedFunctionInfo"}},
	{AT(sfi_scope), 0,
		{"class_SharedFunctionInfo__name_or_scope_info__Object",
			"class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_",
			"class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_"}},
	{AT(sfi_script), 0,
		{"class_SharedFunctionInfo__script_or_debug_info__HeapObject",
			"class_SharedFunctionInfo__script__Tagged_HeapObject_"}},
	{AT(sfi_length), 0, {"class_SharedFunctionInfo__length__uint16_t"}},
	/* a word whose upper half is the id, the number of the function in its script */
	{AT(sfi_literal_id), 0, {"class_SharedFunctionInfo__flags__int"}},
	{AT(script_source), 0, {"class_Script__source__Object"}},
	{AT(script_name), 0, {"class_Script__name__Object"}},
	{AT(bytecodes_header), 0, {"class_BytecodeArray__data__uintptr_t"}},
	{AT(kind_baseline), 0, {"CodeKindBaseline"}},
};

#define NDBG (sizeof(dbg) / sizeof(dbg[0]))

enum {
	S_MAJOR,
	S_MINOR,
	S_TAGGED,
	S_BLOB_DATA, /* before 11: what S_BLOB points to */
	S_BLOB,
	S_BLOB_SIZE,
	S_ENTER,
	S_ENTER_AT,
	S_ENTER_NEXT,
	S_HANDLERS,
	S_DBG,
	S_COUNT = S_DBG + NDBG * DBG_NAMES
};

static const char *const fixed[S_DBG] = {
	[S_MAJOR] = "_ZN2v88internal7Version6major_E",
	[S_MINOR] = "_ZN2v88internal7Version6minor_E",
	[S_TAGGED] = "v8dbg_TaggedSize",
	[S_BLOB_DATA] = "v8_Default_embedded_blob_code_data_",
	[S_BLOB] = "v8_Default_embedded_blob_code_",
	[S_BLOB_SIZE] = "v8_Default_embedded_blob_code_size_",
	[S_ENTER] = "Builtins_InterpreterEntryTrampoline",
	[S_ENTER_AT] = "Builtins_InterpreterEnterAtBytecode",
	[S_ENTER_NEXT] = "Builtins_InterpreterEnterAtNextBytecode",
	[S_HANDLERS] = "Builtins_WideHandler",
};

struct search {
	pid_t pid;
	struct managed_symbol s[S_COUNT];
	char names[NDBG * DBG_NAMES][96];
	char *why;
	size_t size;
};

static void name_symbols(struct search *f)
{
	for (int i = 0; i < S_DBG; i++)
		f->s[i].name = fixed[i];
	for (size_t i = 0; i < NDBG * DBG_NAMES; i++) {
		const char *name = dbg[i / DBG_NAMES].name[i % DBG_NAMES];

		snprintf(f->names[i], sizeof(f->names[i]), "v8dbg_%s", name ? name : "");
		f->s[S_DBG + i].name = f->names[i];
	}
}

/* Reads the int that symbol I is: true, or false if there is none. */
static bool read_int(const struct search *f, int i, int32_t *value)
{
	return f->s[i].addr && managed_read(f->pid, f->s[i].addr, value, sizeof(*value));
}

const struct dt_v8 *managed_v8_version(uint32_t version)
{
	return MANAGED_VERSION(versions, version, version);
}

/* Fills *V by v8dbg_*: true, or false: one is missing. */
static bool read_layout(struct search *f, struct dt_v8 *v)
{
	for (size_t i = 0; i < NDBG; i++) {
		int32_t value;
		int k = 0;

		while (k < DBG_NAMES && !read_int(f, S_DBG + (int)i * DBG_NAMES + k, &value))
			k++;
		if (k == DBG_NAMES) {
			snprintf(f->why, f->size,
				"process %d: jstack() needs the symbol v8dbg_%s, which its V8 does not have",
				f->pid, dbg[i].name[0]);
			return false;
		}
		*(uint16_t *)((char *)v + dbg[i].at) = (uint16_t)(value + dbg[i].add);
	}
	/* what a function runs is the first member */
	v->sfi_data = 8;
	return true;
}

/* Fills in where the builtins are: true, or false: the file has no symbols for them. */
static bool find_builtins(struct search *f, struct dt_v8 *v)
{
	const struct managed_symbol *s = f->s;
	int32_t size;

	for (int i = S_BLOB; i < S_DBG; i++) {
		if (s[i].addr)
			continue;
		snprintf(f->why, f->size,
			"process %d: jstack() needs the symbol %s, which its V8 does not have: was it stripped?",
			f->pid, fixed[i]);
		return false;
	}
	if (!read_int(f, S_BLOB_SIZE, &size))
		return false;
	v->blob = s[s[S_BLOB_DATA].addr ? S_BLOB_DATA : S_BLOB].addr;
	v->blob_size = (uint32_t)size;
	v->enter = (uint32_t)(s[S_ENTER].addr - v->blob);
	v->enter_size = (uint32_t)s[S_ENTER].size;
	v->enter_at = (uint32_t)(s[S_ENTER_AT].addr - v->blob);
	v->enter_at_size =
		(uint32_t)(s[S_ENTER_NEXT].addr + s[S_ENTER_NEXT].size - s[S_ENTER_AT].addr);
	v->handlers = (uint32_t)(s[S_HANDLERS].addr - v->blob);
	return true;
}

static enum managed_found refuse(struct search *f, int32_t major, int32_t minor)
{
	char v8[32];

	snprintf(v8, sizeof(v8), "V8 %d.%d", major, minor);
	return managed_refuse(f->why, f->size, f->pid, v8, KNOWN);
}

static enum managed_found find_v8(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	struct search f = {.pid = pid, .why = why, .size = size};
	int32_t major = 0, minor = 0, tagged = 0;
	const struct dt_v8 *v;

	name_symbols(&f);
	managed_symbols(pid, o, f.s, S_COUNT);
	/* neither: a program of another kind, or that of a shared libnode */
	if (!read_int(&f, S_MAJOR, &major) || !read_int(&f, S_MINOR, &minor))
		return MANAGED_NONE;
	v = managed_v8_version((uint32_t)(major << 8 | minor));
	if (!v)
		return refuse(&f, major, minor);
	if (!read_int(&f, S_TAGGED, &tagged) || tagged != 8) {
		snprintf(why, size,
			"process %d: jstack() does not know V8 with compressed pointers", pid);
		return MANAGED_REFUSED;
	}
	out->v8 = *v;
	return read_layout(&f, &out->v8) && find_builtins(&f, &out->v8) ? MANAGED_FOUND
									: MANAGED_REFUSED;
}

const struct managed_language managed_v8 = {
	.name = "V8",
	.lang = DT_LANG_V8,
	.may_be = may_be,
	.find = find_v8,
};
