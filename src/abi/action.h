/* SPDX-License-Identifier: Apache-2.0 */
/* action: the table of actions, actions.def. */
#ifndef ABI_ACTION_H
#define ABI_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "dtrace/data.h"

enum rec_action_kind {
#define RECORDED(kind, ...) REC_##kind,
#include "abi/actions.def"
	REC_KINDS
};

/* The form in which the text, and formats that show records, print an action. */
enum action_shape {
	SHAPE_NOTHING,
	SHAPE_VALUE,  /* the value, as its kind is shown */
	SHAPE_BYTES,  /* the bytes */
	SHAPE_FORMAT, /* the text of its format */
	SHAPE_TABLE,  /* the rows */
	SHAPE_TYPED,  /* the value as lines of C */
	SHAPE_PACKET,
};

enum action_table { ACTION_NO_TABLE, ACTION_NAMES, ACTION_ROWS };

struct action_info {
	enum dtrace_action public;
	unsigned values;
	enum action_table table;
	enum action_shape shape;
	bool fails;
};

/* By kind. */
extern const struct action_info action_infos[REC_KINDS];

/* Returns the row of a public action; that of REC_NONE if there is none. */
const struct action_info *action_public(enum dtrace_action action);

/* Returns the kind of the action that function NAME is; REC_NONE: it is none, or one of those. */
enum rec_action_kind action_named(const char *name);

/* Returns the DTRACEACT_* of function NAME; 0: the kind of its value decides, or it is no action.
 */
uint16_t action_classic(const char *name);

#endif
