#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs of another user pass for Node.js, Ruby, PHP and Python 3.10: they have the names, symbols, code and notes that are looked at.
# Their memory is garbage, leads back to itself, or has no end. jstack(), ustack() and the static probes of root's dtrace neither
# hang nor crash there, stay small, and leave the program alone; the python provider refuses memory without an end, and ends at ^C.
# @timeout 240
# @needs gcc setpriv
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
# what they have in common: memory by argv[1], and a static probe in each call
cat >fake.h <<'END2'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define WORDS (1 << 15)
#define NOTE(provider, name) __asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n.asciz \"" provider "\"\n.asciz \"" name "\"\n" \
	".asciz \"8@%%rsp -8@(%%rbp,%%rax,8) 4@$9999999999999999999 8@_PyRuntime+99999999999(%%rip) @ 77@%%zmm9 8@(%%rsp\"\n994: .balign 4\n.popsection")
#define EXPORTED __attribute__((noipa, visibility("default")))
static void fill(uint64_t *w, size_t n, int mode)
{
	srandom(mode);
	for (size_t i = 0; i < n; i++)
		w[i] = mode == 0 ? (uint64_t)w : mode == 1 ? ~0ull : mode == 2 ? (uint64_t)&w[random() % n] + (random() & 1)
			: (uint64_t)random() << 32 | random();
}
/* Registers that a walker believes, and calls in calls. */
static inline void spin(uint64_t *w)
{
	register uint64_t *r12 __asm__("r12") = w, *r13 __asm__("r13") = w, *r14 __asm__("r14") = w, *r15 __asm__("r15") = w, *rbx __asm__("rbx") = w;

	__asm__ volatile("" : "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15), "+r"(rbx));
	getppid();
	usleep(500);
	__asm__ volatile("" : "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15), "+r"(rbx));
}
END2
cat >python.c <<'END2'
#include "fake.h"
EXPORTED uint64_t _PyRuntime[WORDS], PyCode_Type[64], PyUnicode_Type[64], PyBytes_Type[64], PyFunction_Type[64];
EXPORTED void Py_Is(void) { }
EXPORTED void PyCode_NewWithPosOnlyArgs(void) { }
EXPORTED void PyObject_VectorcallMethod(void) { }
EXPORTED void PyEval_EvalFrameEx(void) { }
EXPORTED void Py_FinalizeEx(void) { }
EXPORTED void *_PyEval_EvalFrameDefault(void *state, void *frame, int n)
{
	NOTE("python", "function__entry");
	if (n)
		_PyEval_EvalFrameDefault(state, frame, n - 1);
	spin(frame);
	return state;
}
int main(int argc, char **argv)
{
	int mode = atoi(argv[1]);

	fill(_PyRuntime, WORDS, mode);
	if (mode == 4) {
		/* 2 TB that nobody has touched */
		mmap(NULL, 2ul << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	} else {
		for (int i = 0; i < 64; i++)
			PyCode_Type[i] = PyUnicode_Type[i] = PyBytes_Type[i] = PyFunction_Type[i] = (uint64_t)_PyRuntime;
	}
	for (;;)
		_PyEval_EvalFrameDefault(_PyRuntime, _PyRuntime, 5);
}
END2
cat >php.c <<'END2'
#include "fake.h"
EXPORTED uint64_t executor_globals[WORDS];
EXPORTED uint32_t module_registry[64];
EXPORTED const char header[] = "X-Powered-By: PHP/" VERSION;
EXPORTED void execute_ex(int n)
{
	NOTE("php", "function__entry");
	__asm__ goto("jmp %l0\n\tjmp *(%%r15)" : : : : over);
over:
	if (n)
		execute_ex(n - 1);
	spin(executor_globals);
}
int main(int argc, char **argv)
{
	fill(executor_globals, WORDS, atoi(argv[1]));
	for (;;)
		execute_ex(5);
}
END2
cat >ruby.c <<'END2'
#include "fake.h"
EXPORTED char ruby_version[8] = VERSION;
EXPORTED __thread uint64_t *ruby_current_ec;
EXPORTED uint64_t memory[WORDS];
#define GETS(name, off) __asm__(".globl " #name "\n.type " #name ",@function\n" #name ": .byte 0x48,0x8b,0x47,16,0x48,0x8b,0x40," #off "\nret\n.size " #name ",.-" #name);
GETS(rb_iseq_label, 80)
GETS(rb_iseq_first_lineno, 88)
GETS(rb_iseq_path, 64)
__asm__(".globl rb_profile_frames\n.type rb_profile_frames,@function\nrb_profile_frames: .byte 0x48,0x83,0xc3,64,0x48,0x8b,0x58,16,0x48,0x8b,0x43,32\n"
	".byte 0x66\nlea memory(%rip),%rdi\nret\n.size rb_profile_frames,.-rb_profile_frames");
static __attribute__((noipa)) void loop(int n)
{
	NOTE("ruby", "method__entry");
	if (n)
		loop(n - 1);
	spin(memory);
}
EXPORTED void rb_vm_exec(void)
{
	for (volatile int i = 0; i < 3; i++)
		loop(5);
}
int main(int argc, char **argv)
{
	ruby_current_ec = memory;
	fill(memory, WORDS, atoi(argv[1]));
	for (;;)
		rb_vm_exec();
}
END2
{
	echo '#include "fake.h"'
	n=0
	for name in type_Map__MAP_TYPE type_Oddball__ODDBALL_TYPE type_JSFunction__JS_FUNCTION_TYPE type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE \
		type_ScopeInfo__SCOPE_INFO_TYPE type_Script__SCRIPT_TYPE type_BytecodeArray__BYTECODE_ARRAY_TYPE type_ByteArray__BYTE_ARRAY_TYPE \
		type_InstructionStream__INSTRUCTION_STREAM_TYPE frametype_WasmFrame class_JSFunction__shared__SharedFunctionInfo \
		class_SharedFunctionInfo__name_or_scope_info__Object class_SharedFunctionInfo__script_or_debug_info__HeapObject \
		class_SharedFunctionInfo__length__uint16_t class_SharedFunctionInfo__flags__int class_Script__source__Object class_Script__name__Object \
		class_BytecodeArray__data__uintptr_t CodeKindBaseline; do
		echo "EXPORTED int v8dbg_$name = $((n = n * 7 + 8, n % 64));"
	done
	cat <<'END2'
EXPORTED int _ZN2v88internal7Version6major_E = MAJOR, _ZN2v88internal7Version6minor_E = MINOR, v8dbg_TaggedSize = 8;
EXPORTED int v8_Default_embedded_blob_code_size_ = SIZE;
EXPORTED uint64_t memory[WORDS];
EXPORTED void v8_Default_embedded_blob_code_(void) { }
EXPORTED void Builtins_WideHandler(void) { }
EXPORTED void Builtins_InterpreterEnterAtBytecode(void) { }
EXPORTED void Builtins_InterpreterEnterAtNextBytecode(void) { }
EXPORTED void Builtins_InterpreterEntryTrampoline(int n, volatile uint64_t *up)
{
	/* what looks like a frame of JavaScript, and a frame pointer that leads there */
	volatile uint64_t frame[16];

	NOTE("node", "gc__start");
	for (int i = 0; i < 16; i++)
		frame[i] = up ? (uint64_t)up + (i & 1) : (uint64_t)memory;
	if (n)
		Builtins_InterpreterEntryTrampoline(n - 1, frame);
	spin((uint64_t *)memory);
}
int main(int argc, char **argv)
{
	fill(memory, WORDS, atoi(argv[1]));
	for (;;)
		Builtins_InterpreterEntryTrampoline(5, NULL);
}
END2
} >node.c
build() { # PROGRAM SOURCE FLAG...
	gcc -O1 -fno-omit-frame-pointer -w -rdynamic -o "$1" "$2.c" "${@:3}" || exit 1
}
build python3.10 python
build php8.2 php '-DVERSION="8.2.0"'
build ruby3.1 ruby '-DVERSION="3.1.7"'
build node18 node -DMAJOR=10 -DMINOR=2 -DSIZE=0x7fffffff
build node20 node -DMAJOR=11 -DMINOR=3 -DSIZE=-1
build node24 node -DMAJOR=13 -DMINOR=6 -DSIZE=4096
build phpx php '-DVERSION="9.\ndtrace: \033[2J"'

limited() {
	status=0
	(
		ulimit -v 4000000
		exec timeout -k 5 $((30 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -Z -p "$victim" "$@"
	) >out.txt 2>err.txt || status=$?
}

check() { # PROGRAM PROVIDER MODE
	as_other "./$1" "$3" &
	victim=$!
	started "$victim" "$1"
	limited -qn '
		syscall::getppid:entry /pid == $target/ { @[jstack(50)] = count(); n++; }
		profile-997 /pid == $target/ { @p[jstack(20), ustack(20)] = count(); }
		'"$2"'$target::: { @a[probename, arg0, arg1, arg2] = count(); @s[stringof(arg3)] = count(); }
		syscall::getppid:entry /pid == $target && n > 50/ { exit(0); }'
	# it may look too little like one
	[[ $status == 0 ]] && grep -q 'getppid' out.txt || { [[ $status == 1 ]] && grep -q 'does not know its' err.txt; } ||
		complain "$1, memory $3: status $status, $(head -c 500 err.txt) $(head -20 out.txt)"
	# nothing that it says ends a line
	! grep -q '^dtrace: .\[' err.txt || complain "$1: $(<err.txt)"
	[[ $2 != python ]] || {
		limited -qn 'python$target:::entry { @[probefunc] = count(); } tick-1s { exit(0); }'
		[[ $status == 0 || $status == 1 ]] || complain "python provider, memory $3: status $status, $(head -c 500 err.txt)"
	}
	kill -0 "$victim" 2>/dev/null || complain "$1, memory $3, has ended"
	kill "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
}

for mode in 0 1 2 3; do
	check python3.10 python $mode
	check php8.2 php $mode
	check ruby3.1 ruby $mode
	for node in node18 node20 node24; do check $node node $mode; done
done
check phpx php 3

as_other ./python3.10 4 &
victim=$!
started "$victim" python3.10
limited -qn 'python$target:::entry { exit(0); }'
[[ $status != 124 && $status -lt 128 ]] && grep -q 'more memory' err.txt || complain "2 TB: status $status, $(head -c 500 err.txt)"
env --default-signal=INT "$DTRACE" -qn 'python$target:::entry { exit(0); }' -p "$victim" >out.txt 2>&1 &
tracer=$!
sleep 1
begin=${EPOCHREALTIME/[.,]/}
kill -INT "$tracer" 2>/dev/null
wait "$tracer"
took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
[[ $took -lt $((1000 * ${TIMEOUT_SCALE:-1})) ]] || complain "2 TB: ^C took $took ms"
kill -0 "$victim" 2>/dev/null || complain "the program with 2 TB has ended"
kill "$victim"
wait "$victim" 2>/dev/null
hostile_done
