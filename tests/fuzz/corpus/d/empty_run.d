int a[int, string]; int i; string s;
BEGIN { if (i) s = "a"; else if (i > 1) { i++; } else { ; } for (i = 0; i < 4; i++) { if (i == 2) continue; a[i, "x"] = i; } }
BEGIN { while (i < 8) { i += 2; if (i > 6) break } for (;;) break; { { trace(i) } } if (i) if (s == "b") trace(1); else trace(2) }
END /i/ { foreach (k, l in a) { @[l] = sum(k); if (k) continue; } foreach = in = 1; }
END { for (i = 0, this->j = 3; i < 3 && this->j; this->j--) { while (0) ; printf("%d", i) } }
