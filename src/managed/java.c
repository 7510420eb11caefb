// SPDX-License-Identifier: Apache-2.0
/*
 * Finds HotSpot, the Java VM of OpenJDK, in a process.
 *
 * libjvm.so exports tables of its own structures (gHotSpotVMStructs, gHotSpotVMTypes,
 * gHotSpotVMIntConstants), made for debuggers.  Offsets, sizes and addresses come from there, out
 * of the process's memory.  The tables leave out how frames and compressed numbers look, which
 * src/rt/managed/java.bpf.c knows for the versions below.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/managed.h"
#include "managed/java_flag.h"
#include "managed/managed.h"
#include "sym/process.h"

static const struct {
	uint16_t major;
} versions[] = {{17}};

#define KNOWN "Java 17"

/* ---- the tables ---- */

/* The symbols that describe a table: its address, the size of an entry, offsets in an entry. */
enum {
	STRUCTS,
	STRUCT_STRIDE,
	STRUCT_TYPE,
	STRUCT_FIELD,
	STRUCT_OFFSET,
	STRUCT_ADDRESS,
	STRUCT_STATIC,
	TYPES,
	TYPE_STRIDE,
	TYPE_NAME,
	TYPE_SIZE,
	INTS,
	INT_STRIDE,
	INT_NAME,
	INT_VALUE,
	NTABLES
};

static const char *const tables[NTABLES] = {
	[STRUCTS] = "gHotSpotVMStructs",
	[STRUCT_STRIDE] = "gHotSpotVMStructEntryArrayStride",
	[STRUCT_TYPE] = "gHotSpotVMStructEntryTypeNameOffset",
	[STRUCT_FIELD] = "gHotSpotVMStructEntryFieldNameOffset",
	[STRUCT_OFFSET] = "gHotSpotVMStructEntryOffsetOffset",
	[STRUCT_ADDRESS] = "gHotSpotVMStructEntryAddressOffset",
	[STRUCT_STATIC] = "gHotSpotVMStructEntryIsStaticOffset",
	[TYPES] = "gHotSpotVMTypes",
	[TYPE_STRIDE] = "gHotSpotVMTypeEntryArrayStride",
	[TYPE_NAME] = "gHotSpotVMTypeEntryTypeNameOffset",
	[TYPE_SIZE] = "gHotSpotVMTypeEntrySizeOffset",
	[INTS] = "gHotSpotVMIntConstants",
	[INT_STRIDE] = "gHotSpotVMIntConstantEntryArrayStride",
	[INT_NAME] = "gHotSpotVMIntConstantEntryNameOffset",
	[INT_VALUE] = "gHotSpotVMIntConstantEntryValueOffset",
};

#define ENTRY_MAX 128 /* bytes */
#define TEXT_MAX  64
#define ENTRIES	  16384 /* of a table, at most */

struct vm {
	pid_t pid;
	uint64_t value[NTABLES]; /* what the symbols have */
	uint32_t major;
	struct dt_java *out;
	struct flag_table *flags; /* or this is filled */
};

/* What is wanted of an entry. */
enum want {
	WANT_STATIC, /* the address of a static member, 8 bytes in struct dt_java */
	WANT_OFFSET, /* of a member; as the next ones, 2 bytes in struct dt_java */
	WANT_SIZE,   /* of a type */
	WANT_INT,    /* the value of a constant */
	WANT_MAJOR,  /* the version, at a static member */
};

struct wanted {
	enum want want;
	const char *type, *field;
	size_t at; /* in struct dt_java */
};

#define STATIC(m, type, field)                                        \
	{                                                             \
		WANT_STATIC, type, field, offsetof(struct dt_java, m) \
	}
#define OFFSET(m, type, field)                                        \
	{                                                             \
		WANT_OFFSET, type, field, offsetof(struct dt_java, m) \
	}
#define SIZE(m, type)                                            \
	{                                                        \
		WANT_SIZE, type, "", offsetof(struct dt_java, m) \
	}
#define INT(m, name)                                            \
	{                                                       \
		WANT_INT, name, "", offsetof(struct dt_java, m) \
	}

static const struct wanted wanted[] = {
	{WANT_MAJOR, "Abstract_VM_Version", "_vm_major_version", 0},
	STATIC(heaps, "CodeCache", "_heaps"),
	STATIC(interpreter, "AbstractInterpreter", "_code"),
	OFFSET(array_length, "GrowableArrayBase", "_len"),
	OFFSET(array_data, "GrowableArray<int>", "_data"),
	OFFSET(array_u1_data, "Array<u1>", "_data"),
	OFFSET(heap_memory, "CodeHeap", "_memory"),
	OFFSET(heap_segmap, "CodeHeap", "_segmap"),
	OFFSET(heap_shift, "CodeHeap", "_log2_segment_size"),
	OFFSET(space_low, "VirtualSpace", "_low"),
	OFFSET(space_high_boundary, "VirtualSpace", "_high_boundary"),
	OFFSET(queue_buffer, "StubQueue", "_stub_buffer"),
	OFFSET(queue_limit, "StubQueue", "_buffer_limit"),
	OFFSET(blob_name, "CodeBlob", "_name"),
	OFFSET(blob_code, "CodeBlob", "_code_begin"),
	OFFSET(blob_code_end, "CodeBlob", "_code_end"),
	OFFSET(blob_frame_size, "CodeBlob", "_frame_size"),
	OFFSET(blob_frame_complete, "CodeBlob", "_frame_complete_offset"),
	SIZE(nmethod_size, "nmethod"),
	OFFSET(nmethod_method, "CompiledMethod", "_method"),
	OFFSET(nmethod_scopes, "CompiledMethod", "_scopes_data_begin"),
	OFFSET(nmethod_deopt, "CompiledMethod", "_deopt_handler_begin"),
	OFFSET(nmethod_deopt_mh, "CompiledMethod", "_deopt_mh_handler_begin"),
	OFFSET(nmethod_pcs, "nmethod", "_scopes_pcs_offset"),
	OFFSET(nmethod_pcs_end, "nmethod", "_dependencies_offset"),
	OFFSET(nmethod_metadata, "nmethod", "_metadata_offset"),
	OFFSET(nmethod_orig_pc, "nmethod", "_orig_pc_offset"),
	OFFSET(nmethod_compilation, "nmethod", "_compile_id"),
	OFFSET(nmethod_level, "nmethod", "_comp_level"),
	OFFSET(method_const, "Method", "_constMethod"),
	SIZE(const_size, "ConstMethod"),
	OFFSET(const_constants, "ConstMethod", "_constants"),
	OFFSET(const_code_size, "ConstMethod", "_code_size"),
	OFFSET(const_flags, "ConstMethod", "_flags"),
	OFFSET(const_name, "ConstMethod", "_name_index"),
	SIZE(pool_size, "ConstantPool"),
	OFFSET(pool_tags, "ConstantPool", "_tags"),
	OFFSET(pool_length, "ConstantPool", "_length"),
	OFFSET(pool_holder, "ConstantPool", "_pool_holder"),
	OFFSET(pool_source, "ConstantPool", "_source_file_name_index"),
	OFFSET(klass_name, "Klass", "_name"),
	OFFSET(klass_constants, "InstanceKlass", "_constants"),
	OFFSET(symbol_length, "Symbol", "_length"),
	OFFSET(symbol_body, "Symbol", "_body"),
	INT(has_lines, "ConstMethod::_has_linenumber_table"),
	INT(level_c2, "CompLevel_full_optimization"),
};

#define NWANTED (sizeof(wanted) / sizeof(wanted[0]))

_Static_assert(NWANTED <= 64, "a bit for each");

static bool read_name(const struct vm *vm, uint64_t addr, char name[TEXT_MAX])
{
	*name = '\0';
	if (!addr || !managed_read(vm->pid, addr, name, TEXT_MAX))
		return false;
	name[TEXT_MAX - 1] = '\0';
	return true;
}

static uint64_t word_at(const uint8_t *entry, uint64_t at, size_t size)
{
	uint64_t v = 0;

	if (at <= ENTRY_MAX - sizeof(v))
		memcpy(&v, entry + at, size);
	return v;
}

static bool store(struct vm *vm, const struct wanted *w, uint64_t value)
{
	uint8_t *to = (uint8_t *)vm->out + w->at;
	uint16_t small = (uint16_t)value;

	switch (w->want) {
	case WANT_MAJOR:
		return managed_read(vm->pid, value, &vm->major, sizeof(vm->major));
	case WANT_STATIC:
		memcpy(to, &value, sizeof(value));
		return value != 0;
	default:
		memcpy(to, &small, sizeof(small));
		return value < DT_MANAGED_NONE;
	}
}

/* Returns the wanted one with this name, or NULL. */
static const struct wanted *find_wanted(
	enum want from, enum want to, const char *type, const char *field)
{
	for (size_t i = 0; i < NWANTED; i++) {
		const struct wanted *w = &wanted[i];

		if ((w->want == from || w->want == to || (w->want == WANT_MAJOR && from != to)) &&
			!strcmp(w->type, type) && (!field || !strcmp(w->field, field)))
			return w;
	}
	return NULL;
}

static uint64_t bit_of(const struct wanted *w)
{
	return 1ull << (w - wanted);
}

/* Calls EACH with the entries of the table at TABLE until it returns false or the table ends. */
static void walk_table(struct vm *vm, int table, int stride, int name, uint64_t *found,
	void (*each)(struct vm *vm, const uint8_t *entry, const char *type, uint64_t *found))
{
	uint64_t size = vm->value[stride], type = 0;
	uint8_t entry[ENTRY_MAX] = {0};
	char text[TEXT_MAX] = "";

	if (!size || size > ENTRY_MAX)
		return;
	for (uint64_t i = 0; i < ENTRIES; i++) {
		uint64_t is;

		if (!managed_read(vm->pid, vm->value[table] + i * size, entry, size))
			return;
		is = word_at(entry, vm->value[name], 8);
		if (!is || (is != type && !read_name(vm, is, text)))
			return;
		type = is; /* the fields of a type are one after the other */
		each(vm, entry, text, found);
	}
}

static void take_field(struct vm *vm, const uint8_t *entry, const char *type, uint64_t *found)
{
	const struct wanted *w;
	char field[TEXT_MAX];
	bool is_static;

	if (!find_wanted(WANT_STATIC, WANT_OFFSET, type, NULL) ||
		!read_name(vm, word_at(entry, vm->value[STRUCT_FIELD], 8), field))
		return;
	w = find_wanted(WANT_STATIC, WANT_OFFSET, type, field);
	is_static = word_at(entry, vm->value[STRUCT_STATIC], 4) != 0;
	if (!w || is_static != (w->want != WANT_OFFSET))
		return;
	if (store(vm, w, word_at(entry, vm->value[is_static ? STRUCT_ADDRESS : STRUCT_OFFSET], 8)))
		*found |= bit_of(w);
}

static void take_type(struct vm *vm, const uint8_t *entry, const char *type, uint64_t *found)
{
	const struct wanted *w = find_wanted(WANT_SIZE, WANT_SIZE, type, NULL);

	if (w && store(vm, w, word_at(entry, vm->value[TYPE_SIZE], 8)))
		*found |= bit_of(w);
}

static void take_int(struct vm *vm, const uint8_t *entry, const char *name, uint64_t *found)
{
	const struct wanted *w = find_wanted(WANT_INT, WANT_INT, name, NULL);

	if (w && store(vm, w, word_at(entry, vm->value[INT_VALUE], 4)))
		*found |= bit_of(w);
}

/* ---- a process ---- */

static bool may_be(const struct process_object *o)
{
	return !strncmp(o->name, "libjvm.so", 9);
}

/* True if offsets are in what the walker copies of these structures. */
static bool fits(const struct dt_java *j)
{
	return j->nmethod_size <= 496 && !(j->nmethod_size & 7) && j->blob_name <= 104 &&
		j->blob_code_end <= 104 && j->const_size <= 64 && j->const_constants <= 56 &&
		j->pool_size <= 128 && j->pool_holder <= 120;
}

static enum managed_found refuse(char *why, size_t size, pid_t pid, const char *what)
{
	return managed_refuse(why, size, pid, what, KNOWN);
}

/* Reads what the symbols have; false if it is not all there: the VM has only been mapped. */
static bool read_tables(struct vm *vm, const struct managed_symbol *s)
{
	for (int i = 0; i < NTABLES; i++)
		if (!managed_read(vm->pid, s[i].addr, &vm->value[i], sizeof(vm->value[i])))
			return false;
	return vm->value[STRUCT_STRIDE] && vm->value[TYPE_STRIDE] && vm->value[INT_STRIDE];
}

static enum managed_found find_java(pid_t pid, const struct process_object *o,
	struct dt_managed_proc *out, char *why, size_t size)
{
	struct managed_symbol s[NTABLES];
	struct vm vm = {.pid = pid, .out = &out->java};
	uint64_t found = 0;
	char version[32];

	for (int i = 0; i < NTABLES; i++)
		s[i] = (struct managed_symbol){.name = tables[i]};
	if (managed_symbols(pid, o, s, NTABLES) < NTABLES)
		return refuse(why, size, pid, "Java VM, which is not HotSpot");
	if (!read_tables(&vm, s))
		return MANAGED_NONE;
	walk_table(&vm, STRUCTS, STRUCT_STRIDE, STRUCT_TYPE, &found, take_field);
	walk_table(&vm, TYPES, TYPE_STRIDE, TYPE_NAME, &found, take_type);
	walk_table(&vm, INTS, INT_STRIDE, INT_NAME, &found, take_int);
	if (!vm.major)
		return refuse(why, size, pid, "Java, whose version cannot be read");
	snprintf(version, sizeof(version), "Java %u", vm.major);
	if (!MANAGED_VERSION(versions, major, vm.major))
		return refuse(why, size, pid, version);
	if (found != (1ull << NWANTED) - 1 || !fits(&out->java)) {
		snprintf(version, sizeof(version), "build of Java %u", vm.major);
		return refuse(why, size, pid, version);
	}
	return MANAGED_FOUND;
}

/* ---- flags ---- */

/* Where the VM keeps its flags: an array of JVMFlag, which was Flag before Java 12. */
struct flag_table {
	uint64_t array, count; /* addresses of what says so */
	uint64_t name, addr;   /* offsets of the name's address and the value's */
	uint64_t size;	       /* of an entry */
	uint64_t interpreter;  /* address of what is 0 until the VM has read its flags */
};

#define FLAGS_MAX 8192

static bool is_flag_type(const char *type)
{
	return !strcmp(type, "JVMFlag") || !strcmp(type, "Flag");
}

static void take_flag_field(struct vm *vm, const uint8_t *entry, const char *type, uint64_t *found)
{
	uint64_t address = word_at(entry, vm->value[STRUCT_ADDRESS], 8);
	uint64_t offset = word_at(entry, vm->value[STRUCT_OFFSET], 8);
	bool interpreter = !strcmp(type, "AbstractInterpreter");
	char field[TEXT_MAX];

	if ((!interpreter && !is_flag_type(type)) ||
		!read_name(vm, word_at(entry, vm->value[STRUCT_FIELD], 8), field))
		return;
	if (interpreter)
		vm->flags->interpreter = strcmp(field, "_code") ? vm->flags->interpreter : address;
	else if (!strcmp(field, "flags"))
		vm->flags->array = address;
	else if (!strcmp(field, "numFlags"))
		vm->flags->count = address;
	else if (!strcmp(field, "_name"))
		vm->flags->name = offset;
	else if (!strcmp(field, "_addr"))
		vm->flags->addr = offset;
	else
		return;
	++*found;
}

static void take_flag_type(struct vm *vm, const uint8_t *entry, const char *type, uint64_t *found)
{
	(void)found;
	if (is_flag_type(type))
		vm->flags->size = word_at(entry, vm->value[TYPE_SIZE], 8);
}

/* Looks up the flags F, N of them, in the array. */
static void find_flags(const struct vm *vm, struct java_flag *f, unsigned n_wanted)
{
	const struct flag_table *t = vm->flags;
	uint64_t array = managed_word(vm->pid, t->array), n = managed_word(vm->pid, t->count);

	for (uint64_t i = 0; i < n && i < FLAGS_MAX; i++) {
		uint64_t at = array + i * t->size;
		char text[TEXT_MAX];

		if (!read_name(vm, managed_word(vm->pid, at + t->name), text))
			return;
		for (unsigned k = 0; k < n_wanted; k++) {
			uint8_t value;

			if (!strcmp(text, f[k].name) &&
				managed_read(
					vm->pid, managed_word(vm->pid, at + t->addr), &value, 1))
				f[k].is = value ? JAVA_FLAG_ON : JAVA_FLAG_OFF;
		}
	}
}

/* process_files() */
static int is_vm(void *arg, const struct process_object *o)
{
	(void)arg;
	return may_be(o);
}

struct flag_search {
	pid_t pid;
	struct java_flag *flags;
	unsigned n;
	bool is_java;
};

/* process_objects() */
static int look_for_flag(void *arg, const struct process_object *o)
{
	struct flag_search *search = arg;
	struct managed_symbol s[NTABLES];
	struct flag_table flags = {0};
	struct vm vm = {.pid = search->pid, .flags = &flags};
	uint64_t found = 0;

	if (!may_be(o))
		return 0;
	search->is_java = true;
	for (int i = 0; i < NTABLES; i++)
		s[i] = (struct managed_symbol){.name = tables[i]};
	if (managed_symbols(vm.pid, o, s, NTABLES) < NTABLES || !read_tables(&vm, s))
		return 1;
	walk_table(&vm, STRUCTS, STRUCT_STRIDE, STRUCT_TYPE, &found, take_flag_field);
	walk_table(&vm, TYPES, TYPE_STRIDE, TYPE_NAME, &found, take_flag_type);
	if (found < 5 || !flags.interpreter || !flags.size ||
		!managed_word(vm.pid, flags.interpreter))
		return 1;
	find_flags(&vm, search->flags, search->n);
	return 1;
}

bool java_flags(pid_t pid, struct java_flag *flags, unsigned n)
{
	struct flag_search s = {.pid = pid, .flags = flags, .n = n};

	for (unsigned i = 0; i < n; i++)
		flags[i].is = JAVA_FLAG_UNKNOWN;
	/* the first walk opens no file: nearly all processes have no VM */
	if (process_files(pid, is_vm, NULL) == 1)
		process_objects(pid, look_for_flag, &s);
	return s.is_java;
}

const struct managed_language managed_java = {
	.name = "Java",
	.lang = DT_LANG_JAVA,
	.may_be = may_be,
	.find = find_java,
};
