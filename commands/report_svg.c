/* report_svg.c - marks as paths. */
#include "commands/report_svg.h"

/* Corners of one path, upright and level steps in their short form. */
static void put_corners(struct aisp_buf *out, const struct aisp_spot *spot, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i && spot[i].y == spot[i - 1].y)
            aisp_buf_printf(out, "H%.1f", spot[i].x);
        else if (i && spot[i].x == spot[i - 1].x)
            aisp_buf_printf(out, "V%.1f", spot[i].y);
        else
            aisp_buf_printf(out, "%s%.1f %.1f", i ? "L" : "M", spot[i].x, spot[i].y);
    }
}

/* Lines without length but with round ends: circles that no stretching makes ellipses. */
static void put_dots(struct aisp_buf *out, const struct aisp_spot *spot, size_t n)
{
    for (size_t i = 0; i < n; i++)
        aisp_buf_printf(out, "M%.1f %.1fh.01", spot[i].x, spot[i].y);
}

static void put(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, const struct aisp_spot *spot, size_t n)
{
    static const char *const class[AISP_N_MARKS] = { "", "area ", "band ", "dot ", "dot hole", "dots", "rule", "one", "cell " };
    struct aisp_buf *out = ((struct aisp_svg *)canvas)->out;
    const bool has_tone = mark <= AISP_MARK_DOT || mark == AISP_MARK_CELL, is_dot = mark >= AISP_MARK_DOT && mark <= AISP_MARK_DOTS;

    aisp_buf_printf(out, "<path class=\"%s%s\" d=\"", class[mark], has_tone ? tone : "");
    if (is_dot)
        put_dots(out, spot, n);
    else
        put_corners(out, spot, n);
    aisp_buf_puts(out, mark == AISP_MARK_AREA || mark == AISP_MARK_BAND || mark == AISP_MARK_CELL ? "Z\"/>" : "\"/>");
}

void aisp_svg_begin(struct aisp_svg *svg, struct aisp_buf *out, const char *kind)
{
    svg->canvas.put = put;
    svg->out = out;
    aisp_buf_printf(out, "<svg class=\"%s\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", kind);
}

void aisp_svg_end(struct aisp_svg *svg)
{
    aisp_buf_puts(svg->out, "</svg>");
}
