#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# print() shows the text of strings of GCC's older ABI and of libc++: short, long, as long as fits, empty, with a NUL, longer than strsize,
# members and elements.  libc++'s are objects as it lays them out (_LIBCPP_ABI_ALTERNATE_STRING_LAYOUT or not, LLVM 14 and 20), and the
# library's own if it is there.
# @ref providers 15
# @timeout 120
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v g++ >/dev/null || { echo "needs g++"; exit 77; }
cd "$TMPDIR" || exit 1
cat >use.cc <<'END_OF_SOURCE'
struct order {
	int id;
	std::string who, items[2];
};
extern "C" __attribute__((noinline)) void take(const std::string *a, order *o, const std::string *b)
{
	asm volatile("" : : "r"(a), "r"(o), "r"(b) : "memory");
}
int main()
{
	const char x[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", y[] = "yyyyyyyyyyyyyyyyyyyyyy";
	std::string big(x, 40), nul("a\0b\xff", 4), none("", 0), just(y, 22);
	order o = {7, std::string("a rather long name of a customer", 32), {std::string("one", 3), std::string("\n\"q\"", 4)}};

	take(&nul, &o, &none);
	take(&big, &o, &just);
}
END_OF_SOURCE
cat >libcxx.cc <<'END_OF_SOURCE'
extern "C" void *memcpy(void *, const void *, unsigned long);
namespace std {
inline namespace __1 {
template <class C> struct char_traits {};
template <class C> struct allocator {};
template <class T> struct __elem { T __value_; };
template <class C, class T = char_traits<C>, class A = allocator<C>> struct basic_string {
	using size = unsigned long;
#if LLVM == 14
# define LONG unsigned long __cap_;
# define SHORT union { unsigned char __size_; C __lx; };
#elif defined ALTERNATE
# define LONG size __cap_ : 63; size __is_long_ : 1;
# define SHORT unsigned char __size_ : 7; unsigned char __is_long_ : 1;
#else
# define LONG struct { size __is_long_ : 1; size __cap_ : 63; };
# define SHORT struct { unsigned char __is_long_ : 1; unsigned char __size_ : 7; };
#endif
#ifdef ALTERNATE
	struct __long { C *__data_; size __size_; LONG };
	struct __short { C __data_[23]; SHORT };
	static constexpr int at = 23, shift = 0, flag = 128;
#else
	struct __long { LONG size __size_; C *__data_; };
	struct __short { SHORT C __data_[23]; };
	static constexpr int at = 0, shift = 1, flag = 1;
#endif
	struct __rep { union { __short __s; __long __l; }; };
#if LLVM == 14
	struct __pair : __elem<__rep> {};
	__pair __r_;
	__rep &rep() { return __r_.__value_; }
#else
	struct { __rep __rep_; };
	__rep &rep() { return __rep_; }
#endif
	basic_string(const C *s, size n)
	{
		unsigned char *byte = (unsigned char *)this + at;

		*this = basic_string();
		if (n < 23) {
			memcpy(rep().__s.__data_, s, n);
			*byte = n << shift;
		} else {
			rep().__l.__data_ = new C[n];
			memcpy(rep().__l.__data_, s, n);
			rep().__l.__size_ = n;
			*byte |= flag;
		}
	}
	basic_string() : basic_string(0) {}
	explicit basic_string(int) : basic_string(*(basic_string *)zero) {}
	static constexpr unsigned long zero[3] = {};
};
using string = basic_string<char>;
}
}
END_OF_SOURCE
cat libcxx.cc use.cc >own.cc
(echo '#include <string>'; cat use.cc) >lib.cc
probe='pid$target:a.out:take:entry'
show() { # NAME
	echo "$1:"
	"$DTRACE" -q -n "$probe { print(*args[0]); print(*args[1]); print(*args[2]); }" -c ./t
	"$DTRACE" -q -x strsize=9 -n "$probe { print(*args[0]); print(args[1]->who); print(args[1]->items); }" -c ./t
}
{
	g++ -std=c++17 -g -O1 -D_GLIBCXX_USE_CXX11_ABI=0 -o t lib.cc || exit 1
	show "old ABI"
	for llvm in 14 20; do
		for layout in USUAL ALTERNATE; do
			g++ -std=c++17 -g -O1 -fno-exceptions -DLLVM=$llvm -D$layout -o t own.cc || exit 1
			show "LLVM $llvm, $layout"
		done
	done
	for layout in USUAL LIBCPP_ABI_ALTERNATE_STRING_LAYOUT; do
		if clang++ -std=c++17 -g -O1 -fstandalone-debug -stdlib=libc++ -D_$layout -o t lib.cc 2>/dev/null; then
			show "libc++, $layout"
		fi
	done
} >all.txt
# the same texts, whatever the library
awk '/^[^ (].*:$/ { name = $0; n++; next }
	{ gsub(/std::__1::/, "std::"); text[name] = text[name] $0 "\n" }
	END {
		print n < 5 ? "too few libraries" : ""
		for (name in text)
			if (!seen[text[name]]++)
				printf "%s", text[name]
	}' all.txt
