#line 7 "other.d"
BEGIN /$1 && $$2 == "x" && pid == $pid && $target/ { trace($$1); trace($3); trace($uid); trace($0); }
fake$1:::go, fake::$2*:entry { trace($nosuch); }
# 12 "third.d" 1
tick-$1s { }
1, 2, 3 { }
