/*
 * cleanpath(), basename() and dirname(): each with constants and with variables.
 * @ref d-builtins 3.2 cleanpath basename dirname
 */
#pragma D option quiet

BEGIN { s = ""; printf("cleanpath() [%s] [%s]\n", cleanpath(""), cleanpath(s)); }
BEGIN { s = "/"; printf("cleanpath(/) [%s] [%s]\n", cleanpath("/"), cleanpath(s)); }
BEGIN { s = "//"; printf("cleanpath(//) [%s] [%s]\n", cleanpath("//"), cleanpath(s)); }
BEGIN { s = "///"; printf("cleanpath(///) [%s] [%s]\n", cleanpath("///"), cleanpath(s)); }
BEGIN { s = "a"; printf("cleanpath(a) [%s] [%s]\n", cleanpath("a"), cleanpath(s)); }
BEGIN { s = "a/"; printf("cleanpath(a/) [%s] [%s]\n", cleanpath("a/"), cleanpath(s)); }
BEGIN { s = "/a"; printf("cleanpath(/a) [%s] [%s]\n", cleanpath("/a"), cleanpath(s)); }
BEGIN { s = "/a/"; printf("cleanpath(/a/) [%s] [%s]\n", cleanpath("/a/"), cleanpath(s)); }
BEGIN { s = "//a//b//"; printf("cleanpath(//a//b//) [%s] [%s]\n", cleanpath("//a//b//"), cleanpath(s)); }
BEGIN { s = "a//b"; printf("cleanpath(a//b) [%s] [%s]\n", cleanpath("a//b"), cleanpath(s)); }
BEGIN { s = "."; printf("cleanpath(.) [%s] [%s]\n", cleanpath("."), cleanpath(s)); }
BEGIN { s = "./"; printf("cleanpath(./) [%s] [%s]\n", cleanpath("./"), cleanpath(s)); }
BEGIN { s = "./a"; printf("cleanpath(./a) [%s] [%s]\n", cleanpath("./a"), cleanpath(s)); }
BEGIN { s = "././a"; printf("cleanpath(././a) [%s] [%s]\n", cleanpath("././a"), cleanpath(s)); }
BEGIN { s = "a/."; printf("cleanpath(a/.) [%s] [%s]\n", cleanpath("a/."), cleanpath(s)); }
BEGIN { s = "a/./b"; printf("cleanpath(a/./b) [%s] [%s]\n", cleanpath("a/./b"), cleanpath(s)); }
BEGIN { s = "/."; printf("cleanpath(/.) [%s] [%s]\n", cleanpath("/."), cleanpath(s)); }
BEGIN { s = "/./"; printf("cleanpath(/./) [%s] [%s]\n", cleanpath("/./"), cleanpath(s)); }
BEGIN { s = "/./a/."; printf("cleanpath(/./a/.) [%s] [%s]\n", cleanpath("/./a/."), cleanpath(s)); }
BEGIN { s = ".."; printf("cleanpath(..) [%s] [%s]\n", cleanpath(".."), cleanpath(s)); }
BEGIN { s = "../"; printf("cleanpath(../) [%s] [%s]\n", cleanpath("../"), cleanpath(s)); }
BEGIN { s = "/.."; printf("cleanpath(/..) [%s] [%s]\n", cleanpath("/.."), cleanpath(s)); }
BEGIN { s = "/../"; printf("cleanpath(/../) [%s] [%s]\n", cleanpath("/../"), cleanpath(s)); }
BEGIN { s = "/../a"; printf("cleanpath(/../a) [%s] [%s]\n", cleanpath("/../a"), cleanpath(s)); }
BEGIN { s = "/../../a"; printf("cleanpath(/../../a) [%s] [%s]\n", cleanpath("/../../a"), cleanpath(s)); }
BEGIN { s = "../a"; printf("cleanpath(../a) [%s] [%s]\n", cleanpath("../a"), cleanpath(s)); }
BEGIN { s = "../../a"; printf("cleanpath(../../a) [%s] [%s]\n", cleanpath("../../a"), cleanpath(s)); }
BEGIN { s = "a/.."; printf("cleanpath(a/..) [%s] [%s]\n", cleanpath("a/.."), cleanpath(s)); }
BEGIN { s = "a/../"; printf("cleanpath(a/../) [%s] [%s]\n", cleanpath("a/../"), cleanpath(s)); }
BEGIN { s = "./a/.."; printf("cleanpath(./a/..) [%s] [%s]\n", cleanpath("./a/.."), cleanpath(s)); }
BEGIN { s = "a/../b"; printf("cleanpath(a/../b) [%s] [%s]\n", cleanpath("a/../b"), cleanpath(s)); }
BEGIN { s = "a/../.."; printf("cleanpath(a/../..) [%s] [%s]\n", cleanpath("a/../.."), cleanpath(s)); }
BEGIN { s = "a/../../b"; printf("cleanpath(a/../../b) [%s] [%s]\n", cleanpath("a/../../b"), cleanpath(s)); }
BEGIN { s = "a/b/.."; printf("cleanpath(a/b/..) [%s] [%s]\n", cleanpath("a/b/.."), cleanpath(s)); }
BEGIN { s = "a/b/../.."; printf("cleanpath(a/b/../..) [%s] [%s]\n", cleanpath("a/b/../.."), cleanpath(s)); }
BEGIN { s = "a/b/../../.."; printf("cleanpath(a/b/../../..) [%s] [%s]\n", cleanpath("a/b/../../.."), cleanpath(s)); }
BEGIN { s = "/a/.."; printf("cleanpath(/a/..) [%s] [%s]\n", cleanpath("/a/.."), cleanpath(s)); }
BEGIN { s = "/a/../.."; printf("cleanpath(/a/../..) [%s] [%s]\n", cleanpath("/a/../.."), cleanpath(s)); }
BEGIN { s = "/a/b/../c/./d//e/.."; printf("cleanpath(/a/b/../c/./d//e/..) [%s] [%s]\n", cleanpath("/a/b/../c/./d//e/.."), cleanpath(s)); }
BEGIN { s = "..."; printf("cleanpath(...) [%s] [%s]\n", cleanpath("..."), cleanpath(s)); }
BEGIN { s = "a/..."; printf("cleanpath(a/...) [%s] [%s]\n", cleanpath("a/..."), cleanpath(s)); }
BEGIN { s = "/.../a"; printf("cleanpath(/.../a) [%s] [%s]\n", cleanpath("/.../a"), cleanpath(s)); }
BEGIN { s = "..a"; printf("cleanpath(..a) [%s] [%s]\n", cleanpath("..a"), cleanpath(s)); }
BEGIN { s = "a.."; printf("cleanpath(a..) [%s] [%s]\n", cleanpath("a.."), cleanpath(s)); }
BEGIN { s = "/a../b"; printf("cleanpath(/a../b) [%s] [%s]\n", cleanpath("/a../b"), cleanpath(s)); }
BEGIN { s = "/..a/b"; printf("cleanpath(/..a/b) [%s] [%s]\n", cleanpath("/..a/b"), cleanpath(s)); }
BEGIN { s = "a/..b/c"; printf("cleanpath(a/..b/c) [%s] [%s]\n", cleanpath("a/..b/c"), cleanpath(s)); }
BEGIN { s = ".a"; printf("cleanpath(.a) [%s] [%s]\n", cleanpath(".a"), cleanpath(s)); }
BEGIN { s = "/.a/"; printf("cleanpath(/.a/) [%s] [%s]\n", cleanpath("/.a/"), cleanpath(s)); }
BEGIN { s = "../.."; printf("cleanpath(../..) [%s] [%s]\n", cleanpath("../.."), cleanpath(s)); }
BEGIN { s = "../../..//a/.."; printf("cleanpath(../../..//a/..) [%s] [%s]\n", cleanpath("../../..//a/.."), cleanpath(s)); }
BEGIN { s = "/usr/bin/../lib/./x.so"; printf("cleanpath(/usr/bin/../lib/./x.so) [%s] [%s]\n", cleanpath("/usr/bin/../lib/./x.so"), cleanpath(s)); }

BEGIN { s = "/a//"; printf("basename(/a//) [%s] [%s]\n", basename("/a//"), basename(s)); }
BEGIN { s = "a//b//"; printf("basename(a//b//) [%s] [%s]\n", basename("a//b//"), basename(s)); }
BEGIN { s = ".."; printf("basename(..) [%s] [%s]\n", basename(".."), basename(s)); }
BEGIN { s = "/.."; printf("basename(/..) [%s] [%s]\n", basename("/.."), basename(s)); }
BEGIN { s = "a.b/c.d"; printf("basename(a.b/c.d) [%s] [%s]\n", basename("a.b/c.d"), basename(s)); }

BEGIN { s = "/a//"; printf("dirname(/a//) [%s] [%s]\n", dirname("/a//"), dirname(s)); }
BEGIN { s = "a//b//"; printf("dirname(a//b//) [%s] [%s]\n", dirname("a//b//"), dirname(s)); }
BEGIN { s = "//a//b"; printf("dirname(//a//b) [%s] [%s]\n", dirname("//a//b"), dirname(s)); }
BEGIN { s = "/../x"; printf("dirname(/../x) [%s] [%s]\n", dirname("/../x"), dirname(s)); }
BEGIN { s = "a.b/c.d"; printf("dirname(a.b/c.d) [%s] [%s]\n", dirname("a.b/c.d"), dirname(s)); }
BEGIN { s = "///a"; printf("dirname(///a) [%s] [%s]\n", dirname("///a"), dirname(s)); }

BEGIN { exit(0); }
