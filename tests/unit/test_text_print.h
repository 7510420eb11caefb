/* SPDX-License-Identifier: Apache-2.0 */
/* The types of test_text_print.c: the C is seen by the test, its BTF by the code under test. */
#ifndef TESTS_UNIT_TEST_TEXT_PRINT_H
#define TESTS_UNIT_TEST_TEXT_PRINT_H

enum state { IDLE, RUNNING = 2 };
enum sign { MINUS = -1, PLUS = 1 };

typedef int number_t;
typedef _Bool flag_t;

struct point {
	int x;
	long y;
};

struct scalars {
	signed char i8;
	unsigned char u8;
	short i16;
	unsigned int u32;
	long i64;
	unsigned long u64;
	__int128 i128;
	number_t number;
	flag_t flag;
	char letter;
	enum state state, no_state;
	enum sign sign;
	struct point *ptr;
	int (*func)(const char *);
	const char *const text;
	float flt;
	double dbl;
	char more[]; /* takes no room */
};

struct bits {
	unsigned int a : 1, b : 3;
	int c : 5;
	enum state state : 3;
	char letter : 7;
	unsigned long far : 40;
};

union number {
	int i;
	unsigned char bytes[4];
};

struct nested {
	struct point point;
	union number u;
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
	char name[16];
	int numbers[2][3];
	struct point points[3];
	const struct point fixed;
};

struct deep {
	struct {
		struct {
			struct {
				struct {
					struct {
						struct {
							struct {
								struct {
									struct {
										int x, y;
									} d9;
								} d8;
							} d7;
						} d6;
					} d5;
				} d4;
			} d3;
		} d2;
	} d1;
};

#endif
