#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A library with types, a translator of a user's struct and constants, that depends on another one and on the io library.
# @ref d-language 22.3 library
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir lib
cat >lib/shop.d <<'D'
/* What the shop's scripts share. */
#pragma D depends_on library money.d
#pragma D depends_on library io.d
#pragma D depends_on provider dtrace

struct order {
	int id;
	int articles;
	long total;
	char customer[16];
};

typedef struct orderinfo {
	int oi_id;
	string oi_customer;
	string oi_size;
	int64_t oi_cents;
	int oi_flags;
} orderinfo_t;

#pragma D binding "1.0" translator
translator orderinfo_t < struct order *O > {
	oi_id = O->id;
	oi_customer = stringof(O->customer);
	oi_size = O->articles > BIG ? "big" : "small";
	oi_cents = CENTS(O->total);
	oi_flags = O->total == NULL ? O_RDONLY : O_RDWR;
};
D
cat >lib/money.d <<'D'
inline int BIG = 2;
#pragma D binding "1.0" BIG

int64_t CENTS(int64_t amount)
{
	return amount * 100;
}
D
cat >shop.d <<'D'
#!/usr/sbin/dtrace -s
/* usage: shop.d -c command */

#pragma D option quiet

store$target:::order-done
{
	this->oi = xlate <orderinfo_t> ((struct order *)copyin(arg1, sizeof (struct order)));
	printf("%2d %-6s %-5s %6d cents, flags 0%o\n", this->oi.oi_id, this->oi.oi_customer, this->oi.oi_size,
	    this->oi.oi_cents, this->oi.oi_flags);
	@cents[this->oi.oi_size] = sum(this->oi.oi_cents);
}

dtrace:::END
{
	printa("%-6s %@d\n", @cents);
}
D
"$DTRACE" -L lib -s shop.d -c "$BUILD/tests/live/classic/store 4"
