/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * function: the contract between the loader and dt_function() (src/rt/function.bpf.c), which finds
 * the probe of a Python function at a place that all functions of a process go through.  Compiled
 * by cc and by clang -target bpf; plain data only.
 *
 * The program's cookie at such a place is DT_FUNCTION_PLACE(); dt_function() returns the cookie of
 * the probe instead, from DT_MAP_FUNCTIONS.
 */
#ifndef ABI_FUNCTION_H
#define ABI_FUNCTION_H

#include <linux/types.h>

/* Where the frame of the function is that begins or ends. */
enum dt_function_frame {
	DT_FUNCTION_NONE,     /* nowhere: the place is not about functions */
	DT_FUNCTION_CURRENT,  /* the innermost of the thread */
	DT_FUNCTION_ARGUMENT, /* argument 2 of the C function that begins here */
};

/* Of program PROGRAM, a number; RETURN: it is about returns. */
#define DT_FUNCTION_PLACE(program, ret, frame) ((__u32)(program) << 3 | (__u32)(ret) << 2 | (frame))
#define DT_FUNCTION_FRAME(place)	       ((place)&3)

/* ---- DT_MAP_FUNCTIONS: key struct dt_function, value struct dt_function_probe ---- */

/* Another function may come to be where one was: its names are elsewhere. */
struct dt_function {
	__u64 code;	  /* the address of its code object */
	__u64 file, name; /* those of its texts */
	__u32 tgid;
	__u32 place;
};

struct dt_function_probe {
	__u64 cookie; /* 0: it has no probe, or the consumer has not looked yet */
	__u32 calls;  /* at this place without a cookie, about */
	__u32 told;   /* the consumer was told of it */
};

/*
 * ---- DT_MAP_NEW_FUNCTIONS: a ring buffer of processes, each a __u32, in which a function was met
 * for the first time ----
 */

/* ---- DT_MAP_PYTHONS: key the process, a __u32; value struct dt_python (abi/managed.h) ---- */

#define DT_MAP_FUNCTIONS     "dt_functions"
#define DT_MAP_NEW_FUNCTIONS "dt_functions_new"
#define DT_MAP_PYTHONS	     "dt_pythons"

/* ---- DT_MAP_PYTHON_THREADS: key the thread and process; for dt_function() alone ---- */

#define DT_MAP_PYTHON_THREADS "dt_pythreads"

#endif
