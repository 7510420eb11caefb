/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file: files that are written as a whole: nobody sees one that is half written.
 *
 * The data go to a file without a name (O_TMPFILE, open(2)), or with a temporary one in the same
 * folder where the file system lacks that. It takes its name, and the mode of the file that it
 * replaces, when it is complete.  What is not a regular file, a pipe or a device, is written
 * directly.
 */
#ifndef FORMATS_FILE_H
#define FORMATS_FILE_H

#include <stdio.h>

struct out_file;

/* Prepares to write PATH.  0, or a negative errno: it cannot be made.  The owner ends it with one
 * of the two below. */
int out_file_open(const char *path, struct out_file **f);

/* Returns the stream to write to; it belongs to F. */
FILE *out_file_stream(struct out_file *f);

/* Returns the path that the file will have; NULL: it is written directly.  It belongs to F. */
const char *out_file_path(const struct out_file *f);

/* Give the file its name and free F.  0, or a negative errno: there is no new file. */
int out_file_commit(struct out_file *f);

/* Does the same without waiting for the disk, for files that are soon replaced again. */
int out_file_replace(struct out_file *f);

/* Free F without a trace of the file.  F may be NULL. */
void out_file_discard(struct out_file *f);

#endif
