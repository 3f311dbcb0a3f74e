/* k-means of N points in D dimensions, in blocks of BLOCK points. Prints a checksum, and
   on standard error its processor seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef BLOCK
#define BLOCK 256
#endif
enum { D = 8, K = 24 };

static double squared(const double *a, const double *b) {
  double s = 0;
  for (int d = 0; d < D; d++) s += (a[d] - b[d]) * (a[d] - b[d]);
  return s;
}

static int nearest(const double *x, double center[K][D]) {
  int best = 0;
  double least = squared(x, center[0]);
  for (int k = 1; k < K; k++) {
    double s = squared(x, center[k]);
    if (s < least) least = s, best = k;
  }
  return best;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  double *x = malloc(sizeof *x * (size_t)n * D), center[K][D], sum[K][D];
  int count[K];
  unsigned long long r = 88172645463325252ULL;
  for (long i = 0; i < (long)n * D; i++) {
    r ^= r << 13, r ^= r >> 7, r ^= r << 17;
    x[i] = (double)(r >> 11) / (1ULL << 53) + (double)(i / D % K);
  }
  for (int k = 0; k < K; k++)
    for (int d = 0; d < D; d++) center[k][d] = x[k * D + d];
  for (int turn = 0; turn < 6; turn++) {
    for (int k = 0; k < K; k++)
      for (int d = count[k] = 0; d < D; d++) sum[k][d] = 0;
    for (int start = 0; start < n; start += BLOCK)
      for (int i = start; i < n && i < start + BLOCK; i++) {
        int k = nearest(x + (long)i * D, center);
        count[k]++;
        for (int d = 0; d < D; d++) sum[k][d] += x[(long)i * D + d];
      }
    for (int k = 0; k < K; k++)
      for (int d = 0; d < D && count[k]; d++) center[k][d] = sum[k][d] / count[k];
  }
  double total = 0;
  for (int k = 0; k < K; k++) total += center[k][0];
  printf("%.6f\n", total); /* the same whatever the flags, up to rounding */
  fprintf(stderr, "%.6f\n", (double)clock() / CLOCKS_PER_SEC);
  free(x);
  return 0;
}
