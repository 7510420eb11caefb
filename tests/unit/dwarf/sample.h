/* SPDX-License-Identifier: Apache-2.0 */
/* The types of test_dwarf.c: the C is seen by the test, its DWARF by the code under test. */
#ifndef TESTS_UNIT_DWARF_SAMPLE_H
#define TESTS_UNIT_DWARF_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = 1 };
enum big { HUGE_ONE = 0x100000000, SMALL_ONE = 1 };

typedef struct list list_t;
typedef struct hidden hidden_t; /* its body is in hidden.c */
typedef int (*handler_t)(struct list *, const char *, ...);
typedef int vector_t __attribute__((vector_size(16)));

union number {
	int i;
	unsigned char bytes[4];
	double d;
};

struct bits {
	unsigned int a : 1, b : 3;
	int c : 5;
	enum color color : 3;
	char letter : 7;
	unsigned long far : 40;
	bool flag : 1;
};

struct list {
	struct list *next;
	list_t **prev;
	char name[16];
	int grid[2][3];
	const volatile short *const cv;
	handler_t handler;
	hidden_t *hidden;
	struct bits bits;
	union number number;
	enum color color;
	enum sign sign;
	enum big big;
	struct {
		int inner;
		union {
			int first;
			short second;
		};
	};
	struct {
		int named;
	} unnamed;
	signed char i8;
	unsigned char u8;
	char letter;
	_Bool flag;
	short i16;
	unsigned short u16;
	int i32;
	unsigned int u32;
	long i64;
	unsigned long u64;
	long long ll;
	unsigned long long ull;
	float flt;
	double dbl;
	long double ldbl;
	__int128 i128;
	unsigned __int128 u128;
	float _Complex cflt;
	double _Complex cdbl;
	void *restrict ptr;
	void *(*signal)(int, void (*)(int));
	int flex[];
} __attribute__((aligned(16)));

struct __attribute__((packed)) packed {
	char c;
	int i;
	struct packed *self;
};

struct small {
	int a, b;
};

struct two {
	long a, b;
};

struct mixed {
	double d;
	int i;
};

struct large {
	long a[3];
};

struct floats {
	float x, y;
};

#endif
