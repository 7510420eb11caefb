// SPDX-License-Identifier: Apache-2.0
/* Members of classes, functions of namespaces and templates: known calls of each, from cplus.sh. */
namespace shop
{

struct Item {
	const char *label;
	int price;
};

class Cart
{
      public:
	explicit Cart(int limit) : limit_(limit)
	{
	}
	virtual ~Cart() = default;
	__attribute__((noinline)) int put(const Item &item, unsigned n = 1);
	__attribute__((noinline)) static long count(long n);
	int limit_;
	int used_ = 0;
	Item last_ = {"none", 0};
};

int Cart::put(const Item &item, unsigned n)
{
	asm volatile("");
	used_ += n;
	last_ = item;
	return limit_ - used_;
}

long Cart::count(long n)
{
	asm volatile("");
	return n + 1;
}

template <typename T> __attribute__((noinline)) T twice(T v)
{
	asm volatile("");
	return v + v;
}

} // namespace shop

extern "C" __attribute__((noinline)) int plain(const shop::Item *i)
{
	asm volatile("");
	return i->price;
}

int main()
{
	shop::Cart c(10);
	shop::Item a = {"apple", 3}, b = {"pear", 4};

	c.put(a);
	c.put(b, 2);
	return shop::Cart::count(1) + shop::twice(4) + plain(&a) == 0;
}
