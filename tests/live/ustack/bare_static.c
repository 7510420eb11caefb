// SPDX-License-Identifier: Apache-2.0
/* @cc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -static -no-pie -DSTATIC
 * bare in a file that is all by itself, at fixed addresses.  (Touch it when bare.c changes.)
 */
#include "bare.c"
