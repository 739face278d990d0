/* peers.c - figures against peers as JSON, and that as text. */
#include "commands/analyze/peers.h"

#include <string.h>
#include <time.h>

#include "commands/analyze/text.h"
#include "commands/report.h"

static json_t *date_json(int64_t seconds)
{
    const time_t t = (time_t)seconds;
    char text[24];
    struct tm utc;

    if (!gmtime_r(&t, &utc) || !strftime(text, sizeof text, "%Y-%m-%d", &utc))
        return json_null();
    return json_string(text);
}

/* An indirect figure is as good as the worse of its two parts, and as old as the older. */
static json_t *rival_json(const struct aisp_rival *r)
{
    const struct aisp_result_row *a = r->ours, *b = r->theirs, *older = a->started_at <= b->started_at ? a : b;
    const bool is_publishable = !strcmp(a->grade, "publishable") && !strcmp(b->grade, "publishable");
    json_t *runs = json_pack("[s]", a->run);

    if (strcmp(a->run, b->run) != 0)
        json_array_append_new(runs, json_string(b->run));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:s, s:o, s:o}", "target", a->target, "device",
                     a->device, "size", a->size, "hardware", a->hardware, "peer", r->peer, "variant", r->variant, "goal", a->goal,
                     "ratio", aisp_measured_json(&r->ratio), "verdict", aisp_verdict_name(r->verdict), "basis",
                     r->is_direct ? "direct" : "indirect", "through", r->is_direct ? json_null() : json_string(a->reference),
                     "grade", is_publishable ? "publishable" : "development", "date", date_json(older->started_at), "runs", runs);
}

json_t *aisp_peers_json(const struct aisp_rows *rows)
{
    struct aisp_rivals rivals = AISP_RIVALS_INIT;
    json_t *list = json_array();

    aisp_rivals_find(&rivals, rows->row, rows->n);
    for (size_t i = 0; i < rivals.n; i++)
        json_array_append_new(list, rival_json(&rivals.item[i]));
    aisp_rivals_release(&rivals);
    return list;
}

static size_t count(const json_t *peers, const char *verdict)
{
    const json_t *one;
    size_t i, n = 0;

    json_array_foreach(peers, i, one)
        n += aisp_report_is(one, "verdict", verdict);
    return n;
}

static void put_one(const json_t *one, const struct aisp_style *style, struct aisp_buf *out)
{
    const struct aisp_measured ratio = aisp_measured_from(json_object_get(one, "ratio"));
    const char *verdict = aisp_report_text(one, "verdict"), *goal = aisp_report_text(one, "goal");
    const bool is_time = !strcmp(goal, "speed");

    aisp_buf_puts(out, " ");
    aisp_put_who(out, one, 57);
    aisp_buf_printf(out, " : %s\n    ", aisp_report_text(one, "peer"));
    aisp_put_measured(out, &ratio, 22);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, !strcmp(verdict, "FASTER") ? AISP_PAINT_GREEN : !strcmp(verdict, "SLOWER") ? AISP_PAINT_RED : NULL, 7,
               verdict);
    aisp_buf_printf(out, " %s%s%s, %s, %s%s%s\n", aisp_report_text(one, "basis"), *aisp_report_text(one, "through") ? " by " : "",
                    aisp_report_text(one, "through"), aisp_report_is(one, "grade", "publishable") ? "publishable" : "devel",
                    aisp_report_text(one, "date"), is_time ? "" : ", of ", is_time ? "" : goal);
}

void aisp_peers_render(const json_t *peers, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *one;
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Ours : peer");
    aisp_buf_puts(out, " - the best of ours by its lower bound; above 1 ours is ahead\n");
    json_array_foreach(peers, i, one)
        put_one(one, style, out);
    aisp_buf_printf(out, "%zu peer%s: ours FASTER than %zu, SLOWER than %zu, SAME as %zu, UNSURE of %zu\n", i, i == 1 ? "" : "s",
                    count(peers, "FASTER"), count(peers, "SLOWER"), count(peers, "SAME"), count(peers, "UNSURE"));
}
