// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the vminfo provider: the places at which the kernel counts what vmstat(8) shows. arg0
 * is the increment, arg1 the address of the statistic: there is none.
 */
#include <linux/perf_event.h>
#include <linux/stat.h>

#include "arch/arch.h"
#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

static const struct derived_probe probes[] = {
	{"as_fault", 0, {}},
	{"cow_fault", 0, {}},
	{"dfree", 0, {}},
	{"kernel_asflt", 0, {}},
	{"maj_fault", 0, {}},
	{"pgfrec", 0, {}},
	{"pgin", 0, {}},
	{"pgout", 0, {}},
	{"pgpgin", 0, {}},
	{"pgpgout", 0, {}},
	{"pgrec", 0, {}},
	{"prot_fault", 0, {}},
	{"rev", 0, {}},
	{"scan", 0, {}},
	{"zfod", 0, {}},
	{"execpgin", 0, {}},
	{"fspgin", 0, {}},
	{"fspgout", 0, {}},
	/* for the state */
	{"-user-fault", 0, {}},
	{"-kernel-fault", 0, {}},
	{"-syscall", 0, {}},
	{NULL, 0, {}},
};

#define AT(probe, name, list, cond, by)                                                     \
	{                                                                                   \
		probe, .kind = HOOK_TRACEPOINT, .hook = name, .params = list, .when = cond, \
		       .args = {                                                            \
			       by                                                           \
		       }                                                                    \
	}

#define FAULT  "address regs error_code"
#define SHRINK "nid nr_scanned nr_reclaimed stat priority file"

#define IS_PROT "(error_code & " ARCH_FAULT_THERE ") != 0"

/*
 * The kernel does not say when a fault has ended: until the thread makes its next system call, what
 * it allocates for processes (K_GFP_MOVABLE) is for its last fault.  The low byte of the error code
 * is kept with a bit above it.
 */
#define FAULTED "0x100"
#define KEEP	"{ self->dt_fault = arg0 & 0xff | " FAULTED "; } "
#define STATE                                                       \
	"vminfo:::-user-fault " KEEP "vminfo:::-kernel-fault " KEEP \
	"vminfo:::-syscall { self->dt_fault = 0; }"

#define PAGE_KIND "(flags & (" K_GFP_MOVABLE " | " K_GFP_ZERO "))"
#define ZEROED	  "self->dt_fault && " PAGE_KIND " == (" K_GFP_MOVABLE " | " K_GFP_ZERO ")"
#define COPIES	  "(" FAULTED " | " ARCH_FAULT_THERE " | " ARCH_FAULT_WRITE ")"
#define COPIED	  "(self->dt_fault & " COPIES ") == " COPIES " && " PAGE_KIND " == " K_GFP_MOVABLE

#define OPERATION "(rq->cmd_flags & " K_REQ_OP_MASK ")"
#define READS	  OPERATION " == " K_REQ_OP_READ " && rq->__data_len && rq->bio && "
#define WRITES	  OPERATION " == " K_REQ_OP_WRITE " && rq->__data_len && rq->bio && "
#define PAGES	  "(rq->__data_len + (_page_size - 1)) / _page_size"

/* The owners of pages: dlib/io.d; MAY_EXECUTE: the bits that let a file be executed */
#define MAY_EXECUTE "(" STRING(S_IXUSR) " | " STRING(S_IXGRP) " | " STRING(S_IXOTH) ")"
#define OF_CACHE    "_bio_inode(rq->bio)"
#define OF_FILE	    OF_CACHE " && (" OF_CACHE "->i_mode & " STRING(S_IFMT) ") == " STRING(S_IFREG)
#define OF_EXEC	    OF_FILE " && (" OF_CACHE "->i_mode & " MAY_EXECUTE ") != 0"

static const struct derived_hook hooks[] = {
	AT("as_fault", "page_fault_user", NULL, NULL, "1"),
	AT("kernel_asflt", "page_fault_kernel", NULL, NULL, "1"),
	AT("prot_fault", "page_fault_user", FAULT, IS_PROT, "1"),
	{"maj_fault", .kind = HOOK_EVENT, .event = PERF_COUNT_SW_PAGE_FAULTS_MAJ, .args = {"1"}},
	{"zfod", .kind = HOOK_TRACEPOINT, .hook = "mm_page_alloc", .params = "page order flags",
		.when = ZEROED, .args = {"1 << order"}, .state = STATE},
	{"cow_fault", .kind = HOOK_TRACEPOINT, .hook = "mm_page_alloc",
		.params = "page order flags", .when = COPIED, .args = {"1"}, .state = STATE},
	AT("pgin", "block_rq_issue", "rq", READS OF_CACHE, "1"),
	AT("pgout", "block_rq_issue", "rq", WRITES OF_CACHE, "1"),
	AT("pgpgin", "block_rq_issue", "rq", READS OF_CACHE, PAGES),
	AT("pgpgout", "block_rq_issue", "rq", WRITES OF_CACHE, PAGES),
	AT("fspgin", "block_rq_issue", "rq", READS OF_FILE, PAGES),
	AT("fspgout", "block_rq_issue", "rq", WRITES OF_FILE, PAGES),
	AT("execpgin", "block_rq_issue", "rq", READS OF_EXEC, PAGES),
	AT("scan", "mm_vmscan_lru_isolate", "zone order nr_requested nr_scanned", "nr_scanned",
		"nr_scanned"),
	AT("dfree", "mm_vmscan_lru_shrink_inactive", SHRINK, "nr_reclaimed", "nr_reclaimed"),
	AT("pgrec", "mm_vmscan_lru_shrink_inactive", SHRINK,
		"stat->nr_activate[0] + stat->nr_activate[1]",
		"stat->nr_activate[0] + stat->nr_activate[1]"),
	AT("pgfrec", "mm_vmscan_lru_shrink_inactive", SHRINK, "stat->nr_ref_keep",
		"stat->nr_ref_keep"),
	AT("rev", "mm_vmscan_lru_shrink_inactive", NULL, NULL, "1"),
	AT("-user-fault", "page_fault_user", FAULT, NULL, "error_code"),
	AT("-kernel-fault", "page_fault_kernel", FAULT, NULL, "error_code"),
	AT("-syscall", "sys_enter", NULL, NULL, "0"),
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "page_fault_user"};

DERIVED_PROVIDER(vminfo, 3900, 64, CLASS_ISA, &table);
