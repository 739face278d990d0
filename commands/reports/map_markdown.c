/* map_markdown.c - crossover maps in Markdown: the crossovers, the winners, and all points as a table. */
#include <stdlib.h>

#include "commands/reports/map_report.h"

/* What was made in `text`, escaped; empties it. */
static void put_made(struct aisp_buf *out, struct aisp_buf *text)
{
    aisp_report_put_markdown(out, text->s ? text->s : "");
    aisp_buf_release(text);
}

static void put_point(void *context, const struct aisp_map_point *p)
{
    struct aisp_buf *out = context, text = AISP_BUF_INIT;

    aisp_buf_puts(out, "| ");
    aisp_report_put_markdown(out, p->variant);
    aisp_buf_puts(out, " | ");
    aisp_report_put_markdown(out, p->point);
    if (!p->result) {
        aisp_buf_puts(out, " | - | - | - | not measured | - |\n");
        return;
    }
    aisp_buf_puts(out, " | ");
    aisp_report_put_time(out, aisp_report_side(p->result, "median_ns", "a"));
    aisp_buf_puts(out, " | ");
    aisp_report_put_time(out, aisp_report_side(p->result, "median_ns", "b"));
    aisp_buf_puts(out, " | ");
    aisp_report_put_ratio(&text, p->result);
    put_made(out, &text);
    aisp_buf_puts(out, " | ");
    aisp_report_put_markdown(out, aisp_report_text(p->result, "verdict"));
    aisp_report_put_why(&text, p->result);
    aisp_buf_puts(out, text.len ? ": " : "");
    put_made(out, &text);
    if (*p->trouble) {
        aisp_buf_puts(out, " **");
        aisp_report_put_markdown(out, p->trouble);
        aisp_buf_puts(out, "**");
    }
    aisp_buf_puts(out, " | ");
    aisp_report_put_markdown(out, aisp_report_text(p->result, "grade"));
    aisp_buf_puts(out, " |\n");
}

void aisp_markdown_maps(const struct aisp_report *report, struct aisp_buf *out)
{
    const json_t *map, *series;
    size_t i, j;

    json_array_foreach(report->maps, i, map) {
        struct aisp_buf text = AISP_BUF_INIT;

        aisp_buf_puts(out, "\n## ");
        aisp_report_put_markdown(out, aisp_report_text(map, "target"));
        aisp_buf_puts(out, ": where the winner changes\n\n");
        aisp_map_put_range(map, &text);
        put_made(out, &text);
        aisp_buf_puts(out, "\n\n");
        json_array_foreach(json_object_get(map, "series"), j, series)
            for (size_t k = 0; k < aisp_map_n_found(series); k++) {
                aisp_buf_puts(out, "- **");
                aisp_report_put_markdown(out, aisp_report_text(series, "variant"));
                aisp_buf_puts(out, "**: ");
                aisp_map_put_found(series, k, &text);
                put_made(out, &text);
                aisp_buf_puts(out, "\n");
            }
        aisp_buf_puts(out, "- winner: ");
        aisp_map_put_winners(map, &text);
        put_made(out, &text);
        aisp_buf_puts(out, "\n\n| variant | point | ");
        aisp_report_put_markdown(out, aisp_report_text(map, "reference"));
        aisp_buf_puts(out, " | median | ratio \\[95 % interval\\] | verdict | grade |\n|---|---|--:|--:|--:|---|---|\n");
        aisp_map_each_point(report, map, put_point, out);
    }
}
