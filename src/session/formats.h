/* SPDX-License-Identifier: Apache-2.0 */
/* formats: the table of output formats (formats/formats.def). */
#ifndef SESSION_FORMATS_H
#define SESSION_FORMATS_H

#include "formats/writer.h"

/* Its last row has no name. */
extern const struct writer_format writer_formats[];

/* NULL: there is no format of this name. */
const struct writer_format *format_find(const char *name);

#endif
