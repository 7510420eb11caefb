/*
 * index() and rindex(): each with constants and with variables, with and without a start.
 * @ref d-builtins 3.2 index index-empty rindex rindex-negative
 */
#pragma D option quiet

BEGIN { s = "abcabcab"; t = "a"; printf("index(abcabcab, a) %d %d\n", index("abcabcab", "a"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "b"; printf("index(abcabcab, b) %d %d\n", index("abcabcab", "b"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "ca"; printf("index(abcabcab, ca) %d %d\n", index("abcabcab", "ca"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "cab"; printf("index(abcabcab, cab) %d %d\n", index("abcabcab", "cab"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "d"; printf("index(abcabcab, d) %d %d\n", index("abcabcab", "d"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcab"; printf("index(abcabcab, abcabcab) %d %d\n", index("abcabcab", "abcabcab"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcabc"; printf("index(abcabcab, abcabcabc) %d %d\n", index("abcabcab", "abcabcabc"), index(s, t)); }
BEGIN { s = ""; t = "a"; printf("index(, a) %d %d\n", index("", "a"), index(s, t)); }
BEGIN { s = "abcabcab"; t = "a"; i = 0; printf("index(abcabcab, a, 0) %d %d\n", index("abcabcab", "a", 0), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 1; printf("index(abcabcab, a, 1) %d %d\n", index("abcabcab", "a", 1), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 3; printf("index(abcabcab, a, 3) %d %d\n", index("abcabcab", "a", 3), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 4; printf("index(abcabcab, a, 4) %d %d\n", index("abcabcab", "a", 4), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 7; printf("index(abcabcab, a, 7) %d %d\n", index("abcabcab", "a", 7), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 8; printf("index(abcabcab, a, 8) %d %d\n", index("abcabcab", "a", 8), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 100; printf("index(abcabcab, a, 100) %d %d\n", index("abcabcab", "a", 100), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = -1; printf("index(abcabcab, a, -1) %d %d\n", index("abcabcab", "a", -1), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = -100; printf("index(abcabcab, a, -100) %d %d\n", index("abcabcab", "a", -100), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "b"; i = 7; printf("index(abcabcab, b, 7) %d %d\n", index("abcabcab", "b", 7), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = "b"; i = 6; printf("index(abcabcab, b, 6) %d %d\n", index("abcabcab", "b", 6), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; printf("index(abcabcab, ) %d %d\n", index("abcabcab", ""), index(s, t)); }
BEGIN { s = "abcabcab"; t = ""; i = 0; printf("index(abcabcab, , 0) %d %d\n", index("abcabcab", "", 0), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 3; printf("index(abcabcab, , 3) %d %d\n", index("abcabcab", "", 3), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 8; printf("index(abcabcab, , 8) %d %d\n", index("abcabcab", "", 8), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 9; printf("index(abcabcab, , 9) %d %d\n", index("abcabcab", "", 9), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 100; printf("index(abcabcab, , 100) %d %d\n", index("abcabcab", "", 100), index(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = -1; printf("index(abcabcab, , -1) %d %d\n", index("abcabcab", "", -1), index(s, t, i)); }
BEGIN { s = ""; t = ""; printf("index(, ) %d %d\n", index("", ""), index(s, t)); }
BEGIN { s = ""; t = ""; i = 0; printf("index(, , 0) %d %d\n", index("", "", 0), index(s, t, i)); }
BEGIN { s = ""; t = ""; i = 1; printf("index(, , 1) %d %d\n", index("", "", 1), index(s, t, i)); }

BEGIN { s = "abcabcab"; t = "a"; printf("rindex(abcabcab, a) %d %d\n", rindex("abcabcab", "a"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "b"; printf("rindex(abcabcab, b) %d %d\n", rindex("abcabcab", "b"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "ca"; printf("rindex(abcabcab, ca) %d %d\n", rindex("abcabcab", "ca"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "cab"; printf("rindex(abcabcab, cab) %d %d\n", rindex("abcabcab", "cab"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "d"; printf("rindex(abcabcab, d) %d %d\n", rindex("abcabcab", "d"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcab"; printf("rindex(abcabcab, abcabcab) %d %d\n", rindex("abcabcab", "abcabcab"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "abcabcabc"; printf("rindex(abcabcab, abcabcabc) %d %d\n", rindex("abcabcab", "abcabcabc"), rindex(s, t)); }
BEGIN { s = ""; t = "a"; printf("rindex(, a) %d %d\n", rindex("", "a"), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = "a"; i = 0; printf("rindex(abcabcab, a, 0) %d %d\n", rindex("abcabcab", "a", 0), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 2; printf("rindex(abcabcab, a, 2) %d %d\n", rindex("abcabcab", "a", 2), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 3; printf("rindex(abcabcab, a, 3) %d %d\n", rindex("abcabcab", "a", 3), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 5; printf("rindex(abcabcab, a, 5) %d %d\n", rindex("abcabcab", "a", 5), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 6; printf("rindex(abcabcab, a, 6) %d %d\n", rindex("abcabcab", "a", 6), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 8; printf("rindex(abcabcab, a, 8) %d %d\n", rindex("abcabcab", "a", 8), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = 100; printf("rindex(abcabcab, a, 100) %d %d\n", rindex("abcabcab", "a", 100), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = -1; printf("rindex(abcabcab, a, -1) %d %d\n", rindex("abcabcab", "a", -1), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "a"; i = -100; printf("rindex(abcabcab, a, -100) %d %d\n", rindex("abcabcab", "a", -100), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "b"; i = 0; printf("rindex(abcabcab, b, 0) %d %d\n", rindex("abcabcab", "b", 0), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "cab"; i = 5; printf("rindex(abcabcab, cab, 5) %d %d\n", rindex("abcabcab", "cab", 5), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = "cab"; i = 4; printf("rindex(abcabcab, cab, 4) %d %d\n", rindex("abcabcab", "cab", 4), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; printf("rindex(abcabcab, ) %d %d\n", rindex("abcabcab", ""), rindex(s, t)); }
BEGIN { s = "abcabcab"; t = ""; i = 0; printf("rindex(abcabcab, , 0) %d %d\n", rindex("abcabcab", "", 0), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 3; printf("rindex(abcabcab, , 3) %d %d\n", rindex("abcabcab", "", 3), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 8; printf("rindex(abcabcab, , 8) %d %d\n", rindex("abcabcab", "", 8), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 9; printf("rindex(abcabcab, , 9) %d %d\n", rindex("abcabcab", "", 9), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = 100; printf("rindex(abcabcab, , 100) %d %d\n", rindex("abcabcab", "", 100), rindex(s, t, i)); }
BEGIN { s = "abcabcab"; t = ""; i = -1; printf("rindex(abcabcab, , -1) %d %d\n", rindex("abcabcab", "", -1), rindex(s, t, i)); }
BEGIN { s = ""; t = ""; printf("rindex(, ) %d %d\n", rindex("", ""), rindex(s, t)); }
BEGIN { s = ""; t = ""; i = 0; printf("rindex(, , 0) %d %d\n", rindex("", "", 0), rindex(s, t, i)); }
BEGIN { s = ""; t = ""; i = 1; printf("rindex(, , 1) %d %d\n", rindex("", "", 1), rindex(s, t, i)); }
BEGIN { s = ""; t = ""; i = -1; printf("rindex(, , -1) %d %d\n", rindex("", "", -1), rindex(s, t, i)); }

BEGIN { exit(0); }
