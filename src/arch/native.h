/* SPDX-License-Identifier: Apache-2.0 */
/*
 * native: what compilers make of some functions of language runtimes, by which their structures are
 * found or checked.  CODE are the N bytes of a function that were read; nothing is owned.
 */
#ifndef ARCH_NATIVE_H
#define ARCH_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Go: a function begins with a comparison of the stack pointer, or what it will be, with the
 * goroutine's stackguard0 or stackguard1, and a jump behind the function if the stack is too small.
 * True if the LEN bytes of one instruction are the one, or the other.
 */
bool native_checks_stack(const uint8_t *code, unsigned len);
bool native_grows_stack(const uint8_t *code, unsigned len);

/* Ruby: true if the function returns member OFF of what member BODY of its argument points to. */
bool native_gets_member(const uint8_t *code, size_t n, uint8_t body, uint8_t off);
/*
 * Ruby: true if the function goes through frames of SIZE bytes, the last of which member LAST of
 * the execution context points to, and reads member ENV of each.
 */
bool native_walks_frames(const uint8_t *code, size_t n, uint8_t size, uint8_t last, uint8_t env);
/*
 * Returns the address of the tls_index by which the function at AT asks for a thread-local variable
 * (ELF Handling For Thread-Local Storage, general dynamic model); 0: it does not.
 */
uint64_t native_tls_index(const uint8_t *code, size_t n, uint64_t at);

/*
 * PHP: returns where the interpreter jumps to the code of the first opcode (Zend/zend_vm_execute.h,
 * compiled by GCC with registers for the frame and the opcode), bytes from CODE; N: nowhere.
 */
size_t native_dispatches(const uint8_t *code, size_t n);

#endif
