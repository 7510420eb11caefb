/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * managed_v8: what the walker of V8's frames (managed_v8.bpf.c) and what reads names and lines
 * (managed_v8_name.bpf.c) share: the layout of objects that all versions have, and the walk's
 * memory.
 */
#ifndef RT_MANAGED_V8_H
#define RT_MANAGED_V8_H

#include <linux/types.h>

#include "rt/managed/managed.h"

/*
 * A pointer to an object is tagged by 1 in its lowest bits; a small integer ("Smi") is in the upper
 * half of a word whose lower half is 0.
 */

#define V8_MAP_TYPE	  12 /* in a map: the type of its instances, 16 bits */
#define V8_LENGTH	  8  /* of an array */
#define V8_ELEMENTS	  16 /* of it */
#define V8_STRING_HASH	  8
#define V8_STRING_LENGTH  12
#define V8_STRING_CHARS	  16 /* also: the first part, the actual string, the parent */
#define V8_STRING_SECOND  24 /* also: where a sliced string begins, the data of an external one */
#define V8_SCRIPT_LINE	  24 /* of its first line, counted from 0 */
#define V8_SCOPE_FLAGS	  8
#define V8_SCOPE_LOCALS	  24 /* their number */
#define V8_SCOPE_REST	  32
#define V8_FIRST_NON_NAME 0x80 /* types below are strings */

enum { V8_SEQ, V8_CONS, V8_EXTERNAL, V8_SLICED, V8_THIN = 5 };
#define V8_ONE_BYTE	8
#define V8_UNCACHED	0x10 /* an external string whose data V8 asks for */
#define V8_NOT_INTERNED 0x20

/* Flags of a ScopeInfo. */
#define V8_SCOPE_TYPE	  0xf
#define V8_SCOPE_BRAND	  (1u << 10) /* has_saved_class_variable */
#define V8_SCOPE_NAME	  (3u << 12)
#define V8_SCOPE_INFERRED (1u << 14)
#define V8_INLINE_NAMES	  75 /* so many locals have their names in a table of their own */

/* Slots of a frame, below the frame pointer. */
enum { S_OFFSET, S_BYTECODES, S_ARGC, S_FUNCTION, S_CONTEXT, S_BP, S_RETURN, S_COUNT };
#define V8_SLOTS 40

#define V8_FRAME_TYPES 63

#define V8_RING	     1024 /* words of V8_SETS * 2 frames, a power of two */
#define V8_WORDS     64	  /* most of one frame */
#define V8_SETS	     128  /* of the cache, with two places each */
#define V8_SFI_WORDS 8
#define V8_PIECES    10 /* of a string that was added up */
#define V8_CODE_HEAD 64 /* bytes of a Code object that have what is read of it */

/* The frames that were found for one frame of code. */
struct v8_seen {
	__u64 pc, key;	/* key: a hash of what says that they still are */
	__u64 stream;	/* where the code's object is */
	__u64 walk;	/* the last one that has found the code there, */
	__u64 function; /* and the identity of the function that it ran */
	__u64 at, n;	/* its words in the ring: the number of the first */
};

#define V8_MET	   64 /* functions of a walk */
#define V8_SCRIPTS 8  /* and their scripts */

/*
 * What is known of a function that is on the stack.  It stays there as long as the walk takes: the
 * thread does not run, and a collection frees nothing that a stack has.
 */
struct v8_met {
	__u64 walk, function;
	__u64 outer, identity;
	__u64 builtin;
};

struct v8_met_script {
	__u64 walk, script, id;
};

struct v8_walk {
	__u64 fp, pc; /* pc: of the frame, in its code; 0: not known */
	__u64 slot[S_COUNT];
	__u64 outer;		 /* the SharedFunctionInfo of the frame */
	__u64 shared;		 /* that of the frame or of a function that is inlined in it */
	__u64 sfi[V8_SFI_WORDS]; /* its contents */
	__u64 identity;		 /* a hash of what tells OUTER from other functions */
	__u64 key;
	__u64 walk;	/* when it began */
	__u64 first;	/* in the ring: the frame's words, from the innermost */
	__u32 n, next;	/* of them: found so far; which is next, if they are all known */
	__u32 state;	/* enum v8_state */
	__u32 position; /* in the source, of the function that is next; ~0: not known */
	__s32 last;	/* 1: that is the frame's own; -1: the tables cannot be read */
	__u32 kind;
	__u32 jit, leaf;
	__u32 builtin; /* OUTER is a function of V8: the slots of bytecodes have anything */
	__u32 unknown; /* a word has no name: the next time it may have one */
	__u64 offset;  /* S_OFFSET, where it counts */
	/* what was read last */
	__u64 base, map;
	__u64 temp, temp2;
	/* mappings of the builtins */
	__u64 copy, copy_size; /* another than V8->blob */
	__u64 blob_info, blob_pc;
	/* the code */
	__u64 stream, code, code_start, deopt;
	__u32 code_flags, code_size;
	__u8 code_head[V8_CODE_HEAD];
	/* positions in the source */
	__u64 pos; /* as V8 has it: see position_offset() */
	__u64 inlined, literals;
	__u64 table, table_end, value, run;
	__s64 at, at_pos;
	__u32 shift, second, target, found;
	/* a function's name */
	__u64 name, inferred, script, script_name, source;
	__u64 script_id;
	__u32 start; /* where it begins in the source; ~0: not known */
	__u32 flags;
	__u32 line_offset;
	/* a string */
	__u64 string, chars;
	__u32 length, width;
	__u64 stack[16];
	__u32 top;
	__u32 newlines;
	__u64 left;
	__u64 chunk[8];
	struct v8_seen seen[V8_SETS][2];
	struct v8_met met[V8_MET];
	struct v8_met_script met_script[V8_SCRIPTS];
	__u64 ring_end; /* what comes after it may be used, though it is not kept */
	__u64 ring[V8_RING];
};

_Static_assert(sizeof(struct v8_walk) <= MANAGED_STATE, "it is kept there");

enum v8_state {
	V8_NEW,	   /* the native frame has not been looked at */
	V8_KNOWN,  /* its frames are in WORD */
	V8_LEVELS, /* they are being found, from the innermost */
};

#define V8READ(var, addr) bpf_probe_read_user(&(var), sizeof(var), (const void *)(addr))
#define V8_TAGGED(word)	  (((word)&3) == 1)
#define V8_SMI(word)	  ((__u32)((word) >> 32))
#define V8_IS_SMI(word)	  (!((word)&0xffffffff))

#endif
