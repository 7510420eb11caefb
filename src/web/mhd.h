/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd: libmicrohttpd, loaded when a server starts: linked, it would bring GnuTLS into each start of
 * dtrace. Functions have their names without MHD_; GNU libmicrohttpd's manual explains them.
 */
#ifndef WEB_MHD_H
#define WEB_MHD_H

#include <microhttpd.h>

#define MHD_FUNCTIONS(F)                 \
	F(start_daemon)                  \
	F(run)                           \
	F(get_timeout)                   \
	F(get_daemon_info)               \
	F(get_connection_info)           \
	F(lookup_connection_value)       \
	F(get_connection_values)         \
	F(suspend_connection)            \
	F(resume_connection)             \
	F(create_response_from_buffer)   \
	F(create_response_from_callback) \
	F(add_response_header)           \
	F(queue_response)                \
	F(destroy_response)

struct mhd {
#define F(name) __typeof__(MHD_##name) *name;
	MHD_FUNCTIONS(F)
#undef F
};

/* Fills M; -ENOSYS: the library, or one of the functions, is not there. */
int mhd_load(struct mhd *m);

#endif
