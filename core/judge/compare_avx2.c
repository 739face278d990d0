/* compare_avx2.c - f32 against f64, four at a time. Only what is plainly right is decided here; all
 * else goes back to compare.c, one element at a time, so that each rule stands in one place. */
#include "core/judge/compare.h"

#if defined(__x86_64__)

#include <float.h>

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256d magnitude(__m256d x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

AVX2 static double largest(__m256d x)
{
    double lane[4], most;

    _mm256_storeu_pd(lane, x);
    most = lane[0];
    for (int i = 1; i < 4; i++)
        most = lane[i] > most ? lane[i] : most;
    return most;
}

AVX2 int64_t aisp_float_pass_avx2(struct aisp_float_pass *p, int64_t i)
{
    const __m256d relative = _mm256_set1_pd(p->relative), rms = _mm256_set1_pd(p->rms),
                  scale = _mm256_set1_pd(p->scale);
    const __m256d most = _mm256_set1_pd(DBL_MAX);
    __m256d sum = _mm256_loadu_pd(p->error2), worst = _mm256_set1_pd(p->worst),
            max = _mm256_set1_pd(p->max_abs);

    for (; i + 4 <= p->n; i += 4) {
        const __m256d y = _mm256_cvtps_pd(_mm_loadu_ps(p->got + i)),
                      r = _mm256_loadu_pd(p->truth + i);
        const __m256d d = magnitude(_mm256_sub_pd(y, r)), m = _mm256_max_pd(magnitude(r), rms);
        /* An infinite truth would allow everything. */
        const __m256d allowed = _mm256_min_pd(_mm256_mul_pd(relative, m), most);
        const __m256d inside = _mm256_cmp_pd(d, allowed, _CMP_LE_OQ);
        const __m256d e = _mm256_mul_pd(d, scale);

        if (_mm256_movemask_pd(inside) != 0xf)
            break;
        sum = _mm256_add_pd(sum, _mm256_mul_pd(e, e));
        max = _mm256_max_pd(max, d);
        /* A division for each element would cost more than all the rest; a new worst is rare. */
        if (_mm256_movemask_pd(_mm256_cmp_pd(d, _mm256_mul_pd(worst, m), _CMP_GT_OQ)))
            worst = _mm256_set1_pd(largest(_mm256_max_pd(worst, _mm256_div_pd(d, m))));
    }
    _mm256_storeu_pd(p->error2, sum);
    p->worst = largest(worst);
    p->max_abs = largest(max);
    return i;
}

AVX2 void aisp_squares_avx2(const double *truth, int64_t n, double scale, double sum[4],
                            double *max)
{
    const __m256d by = _mm256_set1_pd(scale);
    __m256d all = _mm256_loadu_pd(sum), most = _mm256_set1_pd(*max);

    for (int64_t i = 0; i < n; i += 4) {
        const __m256d r = _mm256_loadu_pd(truth + i), s = _mm256_mul_pd(r, by);

        all = _mm256_add_pd(all, _mm256_mul_pd(s, s));
        most = _mm256_max_pd(most, magnitude(r));
    }
    _mm256_storeu_pd(sum, all);
    *max = largest(most);
}

#else

int64_t aisp_float_pass_avx2(struct aisp_float_pass *p, int64_t i)
{
    (void)p;
    return i;
}

void aisp_squares_avx2(const double *truth, int64_t n, double scale, double sum[4], double *max)
{
    for (int64_t i = 0; i < n; i++) {
        const double r = truth[i] < 0 ? -truth[i] : truth[i], s = r * scale;

        sum[i % 4] += s * s;
        *max = r > *max ? r : *max;
    }
}

#endif
