/* SPDX-License-Identifier: Apache-2.0 */
#define TWICE(x) ((x) + (x))
#define THREE	 3
typedef unsigned short number_t;
