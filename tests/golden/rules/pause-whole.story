# flame: --kind=oncpu
# flame: --kind=disk
# The recorder pauses for the whole span. Nothing is known, and no view says that nothing ran.
0 window 0 100
0 alive 10 a; 0 alive 11 b
100 pause 0; 100 shed 0 step=5
