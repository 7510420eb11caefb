21 an int 0
42 44 2
15
1 1
3 4
fine
6 12 an int 0

dtrace: error in dt_clause_2 for probe ID 1 \(dtrace:::BEGIN\): invalid address \(0x[0-9a-f]+\) in action #1 at line 64
