int64_t i, j; string s; self int64_t k; int a[int];
BEGIN {
	i = 1 + 2 * 3 - 4 / 5 % 6 << 7 >> 8 & 9 | 10 ^ ~11 && !12 || 13 ^^ 14;
	i += 0x1f; i -= 017; i *= 3u; i /= 2L; i %= 7ULL; i &= 'a'; i |= '\n'; i ^= '\x41'; i <<= 1; i >>= 'ab';
	j = i++ + ++i - i-- - --i; j = i ? j : k; s = i ? "a\tb\"c\\" : s; j = (i, j); k = sizeof i + sizeof (int);
	j = i < j; j = i <= j; j = i > j; j = i >= j; j = i == j; j = i != j; j = s == "x"; j = "a" < s; j = s == NULL;
	trace((char)i); trace((unsigned short)j); trace((uint64_t)-1); trace((string)s); trace(stringof s); a[i]++; --a[j];
	trace(strjoin(substr(s, 1, -2), lltostr(i))); trace(basename(dirname("/a/b"))); trace(strlen(s)); trace(rand());
	@c[i, s] = count(); @s = sum(i); @a = avg(i); @mn = min(i); @mx = max(i); @sd = stddev(i); @q = quantize(i);
	@l = lquantize(i, 0, 100, 10); @ll = llquantize(i, 10, 0, 3, 10); printa("%d %s %@d\n", @c); printa(@s, @a);
}
