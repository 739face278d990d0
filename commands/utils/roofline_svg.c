/* roofline_svg.c - the roofline as one SVG file that needs nothing else: light and dark by the reader's setting, a title for
 * each point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/roof.h"
#include "commands/utils/roofline.h"

enum { WIDTH = 860, HEIGHT = 520, LEFT = 70, RIGHT = 24, TOP = 48, FOOT = 56 };

static double x_of(const struct aisp_roofline_frame *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * log(x / f->x_low) / log(f->x_high / f->x_low);
}

static double y_of(const struct aisp_roofline_frame *f, double y)
{
    return HEIGHT - FOOT - (HEIGHT - TOP - FOOT) * log(y / f->y_low) / log(f->y_high / f->y_low);
}

static void put_text(struct aisp_buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            aisp_buf_puts(out, "&amp;");
            break;
        case '<':
            aisp_buf_puts(out, "&lt;");
            break;
        case '>':
            aisp_buf_puts(out, "&gt;");
            break;
        default:
            aisp_buf_add(out, text, 1);
        }
}

static void put_head(struct aisp_buf *out, const json_t *value)
{
    aisp_buf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<title>Roofline of one core</title>\n<style>\n"
        "svg { background: #fff; color: #1b1f24 } .grid { stroke: #d8dee4 } .roof { stroke: #57606a; fill: none; "
        "stroke-width: 1.5 } .memory { fill: #0969da } .compute { fill: #bc4c00 } .unknown { fill: #6e7781 } "
        "text { fill: currentColor }\n@media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3 } "
        ".grid { stroke: #30363d } .roof { stroke: #8b949e } .memory { fill: #58a6ff } .compute { fill: #f0883e } }\n"
        "</style>\n<text x=\"%d\" y=\"24\" font-size=\"15\">Roofline of one core, %s: measured ceilings and "
        "variants</text>\n",
        WIDTH, HEIGHT, LEFT, aisp_calc_text(value, "precision"));
}

static void put_grid(struct aisp_buf *out, const struct aisp_roofline_frame *f)
{
    for (int power = (int)ceil(log10(f->x_low)); power <= (int)floor(log10(f->x_high)); power++) {
        const double x = x_of(f, pow(10, power));

        aisp_buf_printf(out,
                        "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                        x, TOP, HEIGHT - FOOT, x, HEIGHT - FOOT + 18, pow(10, power));
    }
    for (int power = (int)ceil(log10(f->y_low)); power <= (int)floor(log10(f->y_high)); power++) {
        const double y = y_of(f, pow(10, power));

        aisp_buf_printf(out,
                        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                        LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, pow(10, power));
    }
    aisp_buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">flop / byte</text>\n", (LEFT + WIDTH - RIGHT) / 2,
                    HEIGHT - 14);
    aisp_buf_printf(out, "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\">GFLOP/s</text>\n",
                    (TOP + HEIGHT - FOOT) / 2, (TOP + HEIGHT - FOOT) / 2);
}

static void put_roofs(struct aisp_buf *out, const struct aisp_roofline_frame *f, const json_t *value)
{
    const double peak = aisp_calc_of(value, "compute_gflops");
    const json_t *level;
    size_t i;

    json_array_foreach(json_object_get(value, "levels"), i, level)
    {
        const double gbps = aisp_calc_of(level, "gbps"), ridge = aisp_calc_of(level, "ridge");
        const double start = fmax(f->x_low, f->y_low / gbps);
        const double degrees = atan2(y_of(f, peak) - y_of(f, start * gbps), x_of(f, ridge) - x_of(f, start)) * 180 / M_PI;

        if (!isfinite(ridge))
            continue;
        aisp_buf_printf(out, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>", x_of(f, start),
                        y_of(f, start * gbps), x_of(f, ridge), y_of(f, peak), x_of(f, f->x_high), y_of(f, peak));
        aisp_buf_printf(out, "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\" x=\"8\" y=\"-5\">%s %.1f GB/s</text>\n",
                        x_of(f, start), y_of(f, start * gbps), degrees, aisp_calc_text(level, "level"), gbps);
    }
    aisp_buf_printf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f GFLOP/s</text>\n", WIDTH - RIGHT - 4,
                    y_of(f, peak) - 6, peak);
}

static void put_points(struct aisp_buf *out, const struct aisp_roofline_frame *f, const json_t *value)
{
    const json_t *p;
    size_t i;

    json_array_foreach(json_object_get(value, "points"), i, p)
    {
        const double percent = aisp_calc_of(p, "percent"), intensity = aisp_calc_of(p, "intensity");

        if (!(intensity > 0))
            continue;
        aisp_buf_printf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>", aisp_calc_text(p, "bound"),
                        x_of(f, intensity), y_of(f, aisp_calc_of(p, "gflops")));
        put_text(out, aisp_calc_text(p, "target"));
        aisp_buf_puts(out, "/");
        put_text(out, aisp_calc_text(p, "variant"));
        aisp_buf_printf(out, ": %.4g GFLOP/s", aisp_calc_of(p, "gflops"));
        if (isfinite(percent))
            aisp_buf_printf(out, ", %.1f %% of the roof", percent);
        aisp_buf_puts(out, "</title></circle>\n");
    }
}

void aisp_roofline_svg(struct aisp_buf *out, const json_t *value)
{
    const struct aisp_roofline_frame f = aisp_roofline_frame(value);

    put_head(out, value);
    put_grid(out, &f);
    put_roofs(out, &f, value);
    put_points(out, &f, value);
    aisp_buf_puts(out, "</svg>\n");
}
