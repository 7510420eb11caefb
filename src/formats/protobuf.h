/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf: the wire format of protocol buffers, appended to a buffer.
 *
 * It knows nothing of the messages: callers number the fields as the published definitions do, from
 * 1 to 2^29 - 1.  Failures are the buffer's (base/buf.h).
 */
#ifndef FORMATS_PROTOBUF_H
#define FORMATS_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct buf;

/* Write V without a field, as packed fields have their numbers. */
void protobuf_put_varint(struct buf *b, uint64_t v);

/* Write a field of type uint64, uint32, bool or enum; of type int64 or int32. */
void protobuf_put_unsigned(struct buf *b, unsigned field, uint64_t v);
void protobuf_put_signed(struct buf *b, unsigned field, int64_t v);

void protobuf_put_double(struct buf *b, unsigned field, double v);

/* Write LEN bytes as a field of type string, which is valid UTF-8 (json_put_utf8() of out/json.h).
 */
void protobuf_put_string(struct buf *b, unsigned field, const char *s, size_t len);
void protobuf_put_text(struct buf *b, unsigned field, const char *s);

/*
 * Begin a field that has a length: a message, a string, packed numbers.  The result is for
 * protobuf_end(), after the contents were appended.
 */
size_t protobuf_begin(struct buf *b, unsigned field);
void protobuf_end(struct buf *b, size_t begun);

#endif
