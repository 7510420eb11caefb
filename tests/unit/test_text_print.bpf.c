// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Nothing but types: a variable of each, so that the object's BTF has it. */
#include "test_text_print.h"

struct scalars scalars;
struct bits bits;
struct nested nested;
struct deep deep;
