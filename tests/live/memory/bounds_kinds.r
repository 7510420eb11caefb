done
clause 1: address
clause 2: address
clause 3: (address|size)
clause 4: address
clause 5: (address|size)
clause 6: address
clause 7: (address|size)
clause 8: (address|size)
...
