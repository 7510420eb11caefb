// SPDX-License-Identifier: Apache-2.0
// What C++ has and C has not; test_dwarf.c knows what to expect.
#include <cstdint>

namespace store
{
enum class kind : uint8_t { tree = 1, hash = 200 };

struct base {
	int id;
	int shadowed;
	virtual ~base();
};

struct other {
	long weight;
};

class table : public base, public other
{
public:
	struct entry {
		int key;
		entry *next;
	};
	static int tables;
	static const int limit = 5;
	entry *first;
	kind what;
	int shadowed;
	long table::*field;
	long (table::*method)(int);

	explicit table(int n);
	long find(const entry &e, int &&hint, kind k);
	long inlined(int n) const { return n + id; }
	static int count(table *t);

private:
	int secret;
};

int table::tables;

table::table(int n) : first(), what(kind::tree), field(), method()
{
	secret = id = n;
}

base::~base()
{
}

long table::find(const entry &e, int &&hint, kind k)
{
	return e.key + hint + int(k) + inlined(hint);
}

int table::count(table *t)
{
	return t->secret;
}

template <class T, int N> struct pool {
	T items[N];
	int used;
	int add(T t);
};

template <class T, int N> int pool<T, N>::add(T t)
{
	items[used++] = t;
	return used;
}

template struct pool<int, 4>;

namespace
{
struct local {
	int x;
};
} // namespace

int use(local *l)
{
	return l->x;
}

namespace inner
{
struct list {
	int here;
};
int global_of_inner;
int nested(list *l)
{
	return l->here;
}
} // namespace inner
} // namespace store

// the same tag outside
struct list {
	int there;
	store::inner::list *other;
};

struct copied { // cannot be passed in registers
	long a;
	copied(const copied &c) : a(c.a) {}
	explicit copied(long n) : a(n) {}
};

struct plain {
	long a;
};

struct empty {
};

struct virt : virtual store::base {
	int own;
};

long by_value(copied c, plain p, empty e, long n)
{
	(void)e;
	return c.a + p.a + n;
}

copied makes(long n)
{
	return copied(n);
}

extern "C" int plain_c(list *l, virt *v, decltype(nullptr) none)
{
	return l->there + v->own + (none == nullptr);
}

int main()
{
	store::table t(1);
	store::table::entry e = {1, nullptr};
	store::pool<int, 4> p = {};
	list l = {};
	virt v;

	t.other::weight = p.add(1);
	return int(t.find(e, 3, store::kind::hash)) + store::table::count(&t) + plain_c(&l, &v, nullptr) +
		int(by_value(copied(1), plain(), empty(), 3)) + int(makes(4).a);
}
