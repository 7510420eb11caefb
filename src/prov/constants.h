/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constants: numbers of the kernel for the D text of a provider's tables.
 *
 * A table is compiled without D's libraries, so it cannot use the names that these define.  Macros
 * of <linux/...> become text by STRING().  Names that begin with K_ are for the others, which are
 * enumerators or in headers of the kernel alone; each group names its header.
 * tests/unit/test_prov_constants.c compares those that the kernel's types have.
 */
#ifndef PROV_CONSTANTS_H
#define PROV_CONSTANTS_H

/* The value of a macro as text. */
#define STRING(macro)  STRING_(macro)
#define STRING_(macro) #macro

/* ---- threads ---- */

/* include/linux/sched/prio.h: lower is more urgent; real-time threads have 0 .. 98 */
#define K_MAX_RT_PRIO  "100"
#define K_DEFAULT_PRIO "120" /* nice 0 */
#define K_MIN_NICE     "-20"
#define K_MAX_NICE     "19"

/* include/uapi/linux/resource.h */
#define K_PRIO_PROCESS "0"

/* include/linux/sched.h: task_struct.flags */
#define K_PF_KTHREAD "0x00200000"

/* kernel/sched/sched.h: the flags of a scheduling class's enqueue_task() */
#define K_ENQUEUE_HEAD "0x10"

/* include/linux/irqreturn.h */
#define K_IRQ_WAKE_THREAD "2"

/* ---- signals ---- */

/* include/linux/sched/signal.h: signal_struct.flags */
#define K_SIGNAL_GROUP_EXIT "0x00000004"

/* include/trace/events/signal.h: the last argument of signal_generate */
#define K_TRACE_SIGNAL_DELIVERED "0"
#define K_TRACE_SIGNAL_IGNORED	 "1"

/* include/uapi/asm-generic/siginfo.h: si_code of SIGCHLD */
#define K_CLD_EXITED "1"
#define K_CLD_KILLED "2"
#define K_CLD_DUMPED "3"

/* wait(2): the parts of a wait status */
#define K_STATUS_SIGNAL "0x7f"
#define K_STATUS_CORE	"0x80"

/* ---- locks ---- */

/* include/trace/events/lock.h: the flags of contention_begin */
#define K_LCB_F_SPIN  "1"
#define K_LCB_F_READ  "2"
#define K_LCB_F_WRITE "4"
#define K_LCB_F_MUTEX "32"

/* ---- memory ---- */

/* include/linux/gfp_types.h */
#define K_GFP_MOVABLE "0x8"
#define K_GFP_ZERO    "0x100"

/* ---- block devices ---- */

/* include/linux/blk_types.h: the operation in the flags of a request or bio, and one of the flags
 */
#define K_REQ_OP_MASK	"0xff"
#define K_REQ_OP_READ	"0"
#define K_REQ_OP_WRITE	"1"
#define K_REQ_OP_DRV_IN "34"
#define K_REQ_SYNC_BIT	"11" /* __REQ_SYNC */
#define K_BLK_STS_IOERR "10"
#define K_SECTOR_SHIFT	"9" /* 512 bytes */

/* ---- sockets and packets ---- */

/* include/linux/socket.h, net.h */
#define K_AF_INET     "2"
#define K_SOCK_STREAM "1"
#define K_SOCK_DGRAM  "2"

/* include/uapi/linux/in.h */
#define K_IPPROTO_ICMP "1"
#define K_IPPROTO_TCP  "6"
#define K_IPPROTO_UDP  "17"

/* include/net/tcp_states.h */
#define K_TCP_ESTABLISHED  "1"
#define K_TCP_SYN_SENT	   "2"
#define K_TCP_SYN_RECV	   "3"
#define K_TCP_TIME_WAIT	   "6"
#define K_TCP_CLOSE	   "7"
#define K_TCP_CLOSE_WAIT   "8"
#define K_TCP_NEW_SYN_RECV "12"

/* include/net/tcp.h: the byte of flags in a header */
#define K_TCPHDR_FIN "0x01"
#define K_TCPHDR_SYN "0x02"
#define K_TCPHDR_RST "0x04"
#define K_TCPHDR_ACK "0x10"

#endif
