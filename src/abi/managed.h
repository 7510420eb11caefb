/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * managed: the contract between the walkers of managed frames (src/rt/managed*.bpf.c), the modules
 * that find a language's runtime in a process (src/managed), and those who read names
 * (src/sym/managed.c).  x86-64 only.  Compiled by cc and by clang -target bpf; plain data only.
 *
 * jstack() leaves native frames as ustack() does (abi/unwind.h).  Where a process has an element in
 * DT_MAP_MANAGED, the language's walker is asked at each frame.  A frame that it finds is one word
 * of the stack, whose name is in DT_MAP_NAMES: a walker stores a name when it first meets the
 * function, while the memory that says so is certain.
 */
#ifndef ABI_MANAGED_H
#define ABI_MANAGED_H

#include <linux/types.h>

/* ---- a managed frame, as a word of a stack ---- */

/*
 * Bits 0-35 the name's id, 36-55 the line, 56 DT_FRAME_FIRST_LINE, 57-59 the kind, 60-62 the
 * language, 63 set: no address of user space has it.
 */
#define DT_FRAME_MANAGED    (1ull << 63)
#define DT_FRAME_FIRST_LINE (1ull << 56) /* the line is where the function begins */
#define DT_FRAME_ID_BITS    36
#define DT_FRAME_LINE_MAX   ((1u << 20) - 1)

#define DT_FRAME_ID(word)   ((word) & ((1ull << DT_FRAME_ID_BITS) - 1))
#define DT_FRAME_LINE(word) ((__u32)((word) >> DT_FRAME_ID_BITS) & DT_FRAME_LINE_MAX)
#define DT_FRAME_KIND(word) ((__u32)((word) >> 57) & 7)
#define DT_FRAME_LANG(word) ((__u32)((word) >> 60) & 7)

enum dt_lang {
	DT_LANG_NONE,
	DT_LANG_PYTHON,
	DT_LANG_V8,
	DT_LANG_JAVA,
	DT_LANG_GO, /* for goid only: its frames are native */
	DT_LANG_PHP,
	DT_LANG_RUBY,
	DT_LANG_MAX
};

enum dt_frame_kind {
	DT_KIND_INTERPRETED,
	DT_KIND_BASELINE,
	DT_KIND_OPTIMISED,
	DT_KIND_INLINED, /* in the next frame */
	DT_KIND_NATIVE,	 /* the language's own code or stub, not the user's function */
	DT_KIND_MAX
};

/* ---- DT_MAP_NAMES: key __u64, the id; value struct dt_name ---- */

#define DT_NAME_FUNCTION 160 /* bytes with the NUL; longer ones are cut */
#define DT_NAME_FILE	 160

struct dt_name {
	__u64 key[4]; /* what tells this function from every other */
	__u32 line;   /* where the function begins; 0: not known */
	__u32 pad;
	char function[DT_NAME_FUNCTION]; /* "" = it could not be read */
	char file[DT_NAME_FILE];
};

/* The id of frames whose name could not be read or kept: no name has it. */
#define DT_NAME_UNKNOWN 0

/* ---- DT_MAP_MANAGED: key __u32, the process; value struct dt_managed_proc ---- */

/* Offsets are bytes in the structure of the runtime that they are named after. */
#define DT_MANAGED_NONE 0xffff /* this version has no such member */

/* How a code object tells its lines. */
enum dt_python_lines {
	DT_PYTHON_LNOTAB,    /* 3.9: co_lnotab */
	DT_PYTHON_LINES,     /* 3.10: PEP 626 */
	DT_PYTHON_LOCATIONS, /* 3.11 and later: Objects/locations.md of CPython */
};

/*
 * In glibc's struct pthread, which the thread pointer points to (sysdeps/nptl, since 2.3.4): the
 * first 32 keys of pthread_getspecific(3), a sequence number and a value each; then a pointer to
 * each 32 of them.
 */
#define DT_GLIBC_FIRST_KEYS 0x310
#define DT_GLIBC_KEYS	    32
#define DT_GLIBC_KEY_SIZE   16

struct dt_python {
	__u64 eval, eval_size; /* the interpreter's loop */
	__u64 cold, cold_size; /* a part of it that is elsewhere */
	__u64 runtime;	       /* _PyRuntime */
	__u64 code_type, str_type, bytes_type;
	__u32 tss_key;	    /* in it: the pthread_key_t of the thread's state */
	__u16 version;	    /* 3.11 is 0x30b */
	__u16 tss;	    /* true: threads have their state where glibc keeps it */
	__u16 lines;	    /* enum dt_python_lines */
	__u16 interpreters; /* in _PyRuntime: the first PyInterpreterState */
	__u16 interp_next, interp_threads;
	__u16 thread_next, thread_id;
	__u16 thread_frame;  /* the innermost frame; 3.11, 3.12: cframe_frame */
	__u16 thread_cframe; /* 3.10 to 3.12: the innermost struct _PyCFrame */
	__u16 cframe_frame, cframe_previous;
	__u16 frame_code, frame_previous;
	__u16 frame_instr; /* the instruction's address; before 3.11 its number */
	__u16 frame_entry; /* 3.11: true where the loop was entered from C */
	__u16 frame_owner; /* 3.12 and later: 3 where C called the loop */
	__u16 code_line, code_file, code_name, code_lines, code_code;
	__u16 ascii_size, compact_size; /* what is before the characters of a str */
};

struct dt_go {
	__s32 tls;  /* from the thread pointer: the current goroutine's struct g */
	__u32 goid; /* in it */
};

/*
 * HotSpot.  Addresses are those of static members; the offsets of an nmethod's are from the blob
 * that it is.
 */
struct dt_java {
	__u64 heaps;	   /* CodeCache::_heaps */
	__u64 interpreter; /* AbstractInterpreter::_code */
	__u16 array_length, array_data, array_u1_data;
	__u16 heap_memory, heap_segmap, heap_shift;
	__u16 space_low, space_high_boundary;
	__u16 queue_buffer, queue_limit;
	__u16 blob_name, blob_code, blob_code_end, blob_frame_size, blob_frame_complete;
	__u16 nmethod_size;
	__u16 nmethod_method, nmethod_scopes, nmethod_deopt, nmethod_deopt_mh;
	__u16 nmethod_pcs, nmethod_pcs_end, nmethod_metadata, nmethod_orig_pc;
	__u16 nmethod_compilation, nmethod_level;
	__u16 method_const;
	__u16 const_size, const_constants, const_code_size, const_flags, const_name;
	__u16 pool_size, pool_tags, pool_length, pool_holder, pool_source;
	__u16 klass_name, klass_constants;
	__u16 symbol_length, symbol_body;
	__u16 has_lines; /* in const_flags */
	__u16 level_c2;	 /* in nmethod_level */
};

/*
 * Of V8 10.2 and later without compressed pointers.  Offsets are from an object's start, without
 * the tag; those of builtins from where they begin.
 */
struct dt_v8 {
	__u64 blob, blob_size;	       /* the builtins, as the file is mapped */
	__u32 enter, enter_size;       /* InterpreterEntryTrampoline */
	__u32 enter_at, enter_at_size; /* InterpreterEnterAtBytecode and what is next to it */
	__u32 handlers;		       /* of bytecodes: the rest */
	__u16 version;		       /* 11.3 is 0xb03 */
	/* types of objects, as their maps have them */
	__u16 type_map, type_oddball, type_function, type_function_last, type_sfi, type_scope_info,
		type_script;
	__u16 type_bytecodes, type_byte_array, type_trusted_byte_array, type_stream;
	__u16 frame_wasm; /* a frame's type */
	__u16 function_shared;
	__u16 sfi_data, sfi_scope, sfi_script, sfi_length, sfi_literal_id; /* SharedFunctionInfo */
	__u16 scope_position_first; /* ScopeInfo: positions are before the names */
	__u16 scope_module;	    /* its kind of scope that is a module */
	__u16 script_source, script_name, script_id;
	__u16 bytecodes_header, bytecodes_positions;
	__u16 stream_header, stream_code; /* the instructions; where the Code object is */
	__u16 code_deopt, code_positions, code_flags, code_size;
	__u16 deopt_literals, deopt_inlining, deopt_shared; /* elements of its array */
	__u16 deopt_wrapped; /* deopt_shared is an object whose first member is what is meant */
	__u16 kind_baseline; /* a kind of code; those above it are optimised */
};

/* PHP's Zend Engine, without ZTS.  struct zend_string is known to the walker. */
struct dt_php {
	__u64 loop, loop_size; /* execute_ex() */
	__u64 cold, cold_size; /* a part of it that is elsewhere */
	__u64 dispatch;	       /* an instruction of it with the frame that code of the JIT has */
	__u64 current;	       /* executor_globals.current_execute_data */
	__u16 version;	       /* 8.2 is 0x802 */
	__u16 frame_opline, frame_value, frame_function, frame_info, frame_previous;
	__u16 function_name, function_scope, function_opcodes, function_last, function_file,
		function_line;
	__u16 class_name;
	__u16 op_size, op_line;
	__u16 generator_children, generator_child, generator_frame, generator_fake;
};

/* MRI; struct RString and the index of lines are known to the walker. */
struct dt_ruby {
	__u64 exec, exec_size; /* rb_vm_exec(), which calls the interpreter's loop */
	__u64 exec_cold, exec_cold_size;
	__u64 loop, loop_size;
	__u64 loop_cold, loop_cold_size;
	__u64 tls;     /* the tls_index of ruby_current_ec, for __tls_get_addr() */
	__u16 version; /* 3.1 is 0x301 */
	__u16 ec_frame;
	__u16 frame_size, frame_pc, frame_iseq, frame_env;
	__u16 iseq_body;
	__u16 body_size, body_code, body_path, body_label, body_line;
	__u16 body_lines, body_lines_count, body_lines_index; /* of its instructions */
	__u16 line_size;
};

struct dt_managed_proc {
	__u64 start_stack; /* of which memory this is, as in struct dt_unwind_proc */
	__u32 lang;	   /* enum dt_lang */
	__u32 pad;
	union {
		struct dt_python python;
		struct dt_go go;
		struct dt_java java;
		struct dt_v8 v8;
		struct dt_php php;
		struct dt_ruby ruby;
	};
};

#define DT_MAP_MANAGED	    "dt_managed"
#define DT_MAP_MANAGED_WALK "dt_mwalks" /* of each scratch slot, what the walkers work with */
#define DT_MAP_NAMES	    "dt_names"

#endif
