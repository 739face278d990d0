/* problem.h - declare what is to be computed, once, for every variant and device.
 * Not here: how to compute it (variant.h).
 * Why data and not code: what is declared can be printed, checked, varied and never cheated on. The harness makes every
 * buffer from this declaration; a variant only receives them. Field order is ABI (nvcc wants initialisers in order). */
#ifndef AISP_PROBLEM_H
#define AISP_PROBLEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raise this when a struct of problem.h or variant.h changes; tests/abi pins the layout. */
#define AISP_ABI 3u

enum aisp_goal  { AISP_SPEED, AISP_MEMORY, AISP_THROUGHPUT, AISP_LATENCY };
enum aisp_role  { AISP_IN = 1, AISP_OUT, AISP_INOUT, AISP_WEIGHT, AISP_FILE, AISP_ARRIVALS, AISP_EMISSIONS };
enum aisp_dtype { AISP_F64 = 1, AISP_F32, AISP_F16, AISP_BF16, AISP_F8E4M3, AISP_F8E5M2,
                  AISP_I64, AISP_I32, AISP_I16, AISP_I8, AISP_U8 };

/* How the harness fills a tensor. Every fill is a pure function of (secret key, element index), except PERMUTATION.
 *   NORMAL       mean a, deviation b (a scaled sum of uniform integers: exact, the same bits on every device)
 *   UNIFORM      [a, b)                        INTEGERS  whole numbers in [a, b); also token ids and indices
 *   PERMUTATION  0 .. elements-1 in random order       MASK  1 with probability a, else 0
 *   ZIPF         whole numbers in [0, b), P(i) ~ 1/(i+1)^a
 *   WIDE         sign * 2^uniform[a, b]        SUBNORMAL  NORMAL(0, 1), one element in 64 scaled to a subnormal
 *   TEXT         bytes of words and spaces, lines of at most b bytes */
enum aisp_fill_kind { AISP_NO_FILL, AISP_NORMAL, AISP_UNIFORM, AISP_INTEGERS, AISP_PERMUTATION, AISP_MASK, AISP_ZIPF,
                      AISP_WIDE, AISP_SUBNORMAL, AISP_TEXT };

struct aisp_fill { enum aisp_fill_kind kind; double a, b; };

/* What a parameter counts, where that is known. It is how a wrong answer is told apart ("only the last half of the batch"), and
 * it admits planted contents: some secret calls of the verification get, instead of the fill's, contents that show whether
 *   SEQUENCE    the last positions count (they are 8 times as large)
 *   CACHE       the old positions count (one of the older half, at random, is 8 times as large)
 *   RESOLUTION  each point counts (a checkerboard of the fill's ends)
 * and, where a MASK's last dimension is such a parameter, whether what it hides is ignored (hidden positions are 64 times as
 * large). This goes for floating inputs that have a dimension which is the parameter's name and no more. */
enum aisp_meaning { AISP_PLAIN, AISP_BATCH, AISP_SEQUENCE, AISP_STEPS, AISP_CACHE, AISP_RESOLUTION };

/* A parameter at its sizes: default, quick (for tests) and large (0: the same as default).
 * Holdout runs draw from [low, high] in steps of `step`; the drawn values are secret until the run ends. */
struct aisp_param { const char *name; int64_t value, quick, large, low, high, step; enum aisp_meaning means; };

/* What the page cache holds of a FILE when a window begins: all of it, or nothing. The harness sees to it before each window, and
 * does not measure where it cannot. */
enum aisp_pages { AISP_CACHED, AISP_COLD };

/* Rows of a data set that must not lie on both sides: no row of a TRAIN tensor may be one of a TEST tensor. */
enum aisp_split { AISP_NO_SPLIT, AISP_TRAIN, AISP_TEST };

/* A tensor, row-major. `dims` is a list of expressions over the parameters: "rows, cols" or "2*batch, seq, heads*dim". What no
 * value may exceed is bounded there: "m, most(k, 66311)" is k, and refuses a larger one. */
struct aisp_tensor {
    const char *name;
    enum aisp_role role;
    enum aisp_dtype dtype;
    const char *dims;
    struct aisp_fill fill;
    struct aisp_fill stress;   /* of an input: what every variant must bear as well. Some secret calls of the verification get it:
                                  large values for a softmax, an offset for a variance, subnormals; or NO_FILL */
    enum aisp_split split;
    enum aisp_pages pages;     /* of a FILE, which a variant gets as a struct aisp_file (variant.h) */
};

/* How ranks share a call. In step: no rank begins a call before all have ended the one before it, for a step of one is a step of
 * all. Stages: work passes from rank to rank, and all of it is through before the next call begins. Loose: neither. */
enum aisp_team { AISP_IN_STEP, AISP_STAGES, AISP_LOOSE };

/* What the truth reads: one pointer for each tensor in declaration order (INOUT as it was before the call, OUT is NULL),
 * and the parameters of this call. */
struct aisp_view { const void *const *tensor; const int64_t *param; };

/* An element y with truth r is right if |y - r| <= ulps * u * sqrt(length) * max(|r|, rms of the rows compared, and of their
 * neighbours where those are fewer than 16 elements), where u is the unit roundoff of the dtype. ulps 0 = exact. All outputs share one tolerance. The harness caps the product per dtype. */
struct aisp_tolerance {
    double ulps;
    const char *length;  /* expression: terms summed into one element, "k"; NULL = 1 */
    double norm;         /* relative Frobenius error allowed over the rows compared; 0 = not used */
    const char *why;     /* where the numbers come from, e.g. "sum of k products, Higham 2002 eq. 3.5" */
};

struct aisp_serving;

struct aisp_problem {
    uint32_t abi;
    const char *title;            /* "Transpose a matrix" */
    const char *teaches;          /* "coalesced access; shared-memory tiles; bank conflicts" */
    enum aisp_goal goal;
    const struct aisp_param *param;    /* ends with a NULL name */
    const struct aisp_tensor *tensor;  /* ends with a NULL name */
    const char *bytes;            /* the least that any correct program must move: "8*rows*cols"; a floor for times */
    const char *flops;            /* the conventional count: "2*m*n*k"; a floor too, unless "~2*m*n*k" */
    const char *unit, *units;     /* throughput goals: "token", "batch*seq"; else NULL */
    struct aisp_tolerance tolerance;
    /* Rows [first, first + n) of output tensor `out`, its leading dimension being rows; written to `to` as double for
     * floating types and int64_t for integers. More precise than, and independent of, every variant. Must be right for
     * any legal parameters. Cost may be high: the harness asks for all rows once and for a few secret rows of each call. */
    void (*reference)(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to);
    /* Instead of `reference`, where many outputs are right: 0 if `out` (one pointer for each output) is a right answer, else
     * the index of the first wrong element plus 1, with the reason in `why`. */
    int64_t (*accept)(const struct aisp_view *in, const void *const *out, char *why, int why_size);
    const char *large_omits;      /* variants left out by name at the large size: "baseline, cuda:optimized_blocked"; those
                                     without a device are the CPU's; or NULL */
    const char *informational;    /* NULL, or why no speedup is promised: shown, never ranked */
    /* A second truth, made in another way, or NULL. Where the two disagree there is no truth. */
    void (*second)(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to);
    /* Processes that work together: an expression, "2"; NULL = one. The tensors above are those of each rank, their dims may
     * use `rank` and `ranks`; tensor t of rank r is view->tensor[r * tensors + t], and so counts `out` of reference. */
    const char *ranks;
    /* What a rank sends to others in one call: so many messages of so many bytes. With them the ranks share no memory but
     * have wires, one to each other rank, and what they send is counted. NULL = ranks share the rendezvous. */
    const char *messages, *message_bytes;
    enum aisp_team team;
    /* Calls are traces of requests that arrive while they run: serving.h; else NULL. */
    const struct aisp_serving *serving;
};

#if defined(__cplusplus)   /* a const of C++ is not exported unless it was declared so before */
#define AISP_PROBLEM extern "C" const struct aisp_problem aisp_problem; const struct aisp_problem aisp_problem
#else
#define AISP_PROBLEM const struct aisp_problem aisp_problem
#endif

/* Beside AISP_PROBLEM, where which variant wins depends on a size: values at which that is seen, as `--sweep` takes them. A
 * parameter, or several that go together; a second one, behind a space, makes a grid:
 *   AISP_SWEEP("m=n=k=16:512:x2");
 * A symbol of its own: a suggestion to whoever measures is no part of what is to be computed. */
#define AISP_SWEEP(text) extern const char aisp_sweep[]; const char aisp_sweep[] = text

#ifdef __cplusplus
}
#endif
#endif
