/* compare.c - the smallest program that drives the harness. From the source's top, after the build:
 *   cc -Iinclude docs/examples/compare.c -o compare -Lbuild -laisp -Wl,-rpath,"$PWD/build"
 *   ./compare */
#include <stdio.h>

#include <aisp/aisp.h>

int main(void)
{
    const struct aisp_ask ask = { .a = "ch01:dot_ilp/baseline",
                                  .b = "ch01:dot_ilp/optimized_accumulators",
                                  .size = "default" };
    struct aisp_comparison_result result = { .json = NULL };
    struct aisp_harness *harness = NULL;
    struct aisp_err err;
    int rc = 1;

    if (aisp_open(&harness, NULL, &err) || aisp_compare_variants(harness, &ask, &result, &err)) {
        fprintf(stderr, "%s\n", err.text);
        goto out;
    }
    printf("%s against %s: %.3f [%.3f, %.3f] %s, %s\n", ask.b, ask.a, result.ratio, result.lo95,
           result.hi95, result.verdict, result.grade);
    rc = 0;
out:
    aisp_comparison_release(&result);
    aisp_close(harness);
    return rc;
}
