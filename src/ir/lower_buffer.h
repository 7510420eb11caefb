/* SPDX-License-Identifier: Apache-2.0 */
/* lower_buffer: room for records in the principal buffer, by its policy. */
#ifndef IR_LOWER_BUFFER_H
#define IR_LOWER_BUFFER_H

#include <stdint.h>

struct ir_block;
struct lower;
struct lower_session;

enum buffer_use {
	BUFFER_RECORD, /* of a clause; it may belong to a speculation */
	BUFFER_FAULT,
	BUFFER_MESSAGE, /* to the consumer; takes no room that is counted */
};

/* Memory for a record of SIZE bytes; jumps to FULL when there is no room. */
uint32_t buffer_reserve(struct lower *l, enum buffer_use use, uint32_t size, struct ir_block *full);
/*
 * Jumps to FULL if the kernel's buffer has no room for a record of SIZE bytes now; one that is
 * reserved later may still find none.
 */
void buffer_room(struct lower *l, uint32_t size, struct ir_block *full);
/* Copy the USED bytes (a temporary) at REC to the buffer; jumps to FULL when there is no room. */
void buffer_output(struct lower *l, uint32_t rec, uint32_t used, struct ir_block *full);
/* Submit the record at temporary REC, or give its room back. */
void buffer_submit(struct lower *l, enum buffer_use use, uint32_t rec, uint32_t size);
void buffer_discard(struct lower *l, uint32_t rec, uint32_t size);

/* Check the records' sizes and lay the buffer out; add its maps to the module. */
void buffer_layout(struct lower_session *s);
void buffer_maps(struct lower_session *s);

#endif
