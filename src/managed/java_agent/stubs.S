/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of probes: two for each method number, its entry and its return, 8 bytes each.  The
 * kernel emulates the first instruction.
 */
	.text
	.globl dtrace_java_stubs
	.hidden dtrace_java_stubs
	.type dtrace_java_stubs, @function
	.balign 16
dtrace_java_stubs:
	.cfi_startproc
	.rept 32768
	nop
	ret
	.balign 8
	.endr
	.cfi_endproc
	.size dtrace_java_stubs, . - dtrace_java_stubs
	.section .note.GNU-stack, "", @progbits
