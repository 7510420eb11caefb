/*
 * After a broken clause or declaration the next one is parsed again.
 * @status 1
 */
BEGIN { before = 1; }
BEGIN { 1 + ; }
BEGIN { one = 1; }
BEGIN /1 +/ { x; }
BEGIN { two = 2; }
BEGIN { f(1; }
BEGIN { three = 3; }
int x y;
int good;
BEGIN { a = "b"; } }
BEGIN { four = 4; }
