/* figure_noise.c - gather a figure's history. */
#include "analysis/figure_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "store/query.h"

struct gathered {
    const json_t *figure;
    const char *before;
    struct aisp_noise_run *run;
    size_t n, cap;
};

static bool is_of(const json_t *figure, const struct aisp_result_row *row)
{
    return !strcmp(row->reference, aisp_json_text(figure, "reference")) &&
           !strcmp(row->size, aisp_json_text(figure, "size")) && !strcmp(row->goal, aisp_json_text(figure, "goal"));
}

/* Newest first: neighbours are neighbours either way. */
static bool gather(const struct aisp_result_row *row, void *context)
{
    struct gathered *g = context;
    const double se = aisp_noise_se_log(row->lo95, row->hi95);

    if ((!g->before || strcmp(row->run, g->before) < 0) && is_of(g->figure, row) && row->ratio > 0 && isfinite(row->ratio) &&
        isfinite(se))
        *(struct aisp_noise_run *)aisp_grow(&g->run, &g->n, &g->cap, sizeof *g->run) =
            (struct aisp_noise_run){ .log_ratio = log(row->ratio), .se_log = se };
    return true;
}

enum aisp_status aisp_figure_noise(struct aisp_store *store, const json_t *figure, const char *before, struct aisp_noise *out,
                                   struct aisp_err *err)
{
    const char *hardware = aisp_json_text(figure, "hardware");
    const struct aisp_filter filter = { .hardware = *hardware ? hardware : NULL, .target = aisp_json_text(figure, "target"),
                                        .variant = aisp_json_text(figure, "variant"),
                                        .device = aisp_json_text(figure, "device"), .complete = true };
    struct gathered g = { .figure = figure, .before = before };
    enum aisp_status st = AISP_OK;

    if (strcmp(aisp_json_text(figure, "size"), "custom"))
        AISP_TRY(aisp_store_each_result(store, &filter, gather, &g, err));
    st = aisp_noise_of(g.run, g.n, out, err);
out:
    free(g.run);
    return st;
}
