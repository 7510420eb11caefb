CPU     ID                    FUNCTION:NAME
 *[0-9]+      1                           :BEGIN   hello                            
 *[0-9]+      2                             :END           1

