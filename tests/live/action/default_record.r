CPU     ID                    FUNCTION:NAME
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN           1  two                              
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN text
 *[0-9]+      1                           :BEGIN line

 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      1                           :BEGIN 
 *[0-9]+      2                             :END 

                0
