# Nothing was recorded.
0 window 0 100; 0 target 0
