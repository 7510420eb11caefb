/* SPDX-License-Identifier: Apache-2.0 */

BEGIN { trace(nosuch); }
