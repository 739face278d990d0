/* Names for what problem.c declares, in its order. */
enum { M, N, K };     /* param[] */
enum { A, B, C };     /* tensor[] */
