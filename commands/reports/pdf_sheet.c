/* pdf_sheet.c - sheets through libharu (ZLIB licence).
 * Why a library: fonts, encodings, cross references and compression of PDF are no part of measuring. */
#include "commands/reports/pdf_sheet.h"

#include <stdlib.h>

#ifdef AISP_HAS_HPDF

#include <hpdf.h>

struct aisp_pdf {
    HPDF_Doc doc;
    HPDF_Page *sheet, page;
    size_t n_sheets, cap_sheets;
    HPDF_Font font[AISP_PDF_N_FONTS];
    double width[AISP_PDF_N_FONTS][256]; /* of a letter, 1/1000 of the size */
    unsigned long error;                 /* libharu's first, 0: none */
};

static void failed(HPDF_STATUS error, HPDF_STATUS detail, void *context)
{
    struct aisp_pdf *pdf = context;

    (void)detail;
    if (!pdf->error)
        pdf->error = error;
}

static enum aisp_status tell(const struct aisp_pdf *pdf, struct aisp_err *err)
{
    if (!pdf->error)
        return AISP_OK;
    return aisp_fail(err, AISP_E_NO_MEMORY, "the PDF cannot be made: libharu's error 0x%04lX", pdf->error);
}

static void load_fonts(struct aisp_pdf *pdf)
{
    static const char *const names[AISP_PDF_N_FONTS] = { "Helvetica", "Helvetica-Bold" };

    for (int i = 0; i < AISP_PDF_N_FONTS; i++) {
        pdf->font[i] = HPDF_GetFont(pdf->doc, names[i], "WinAnsiEncoding");
        for (int c = 0; c < 256 && pdf->font[i]; c++) {
            const HPDF_BYTE byte = (HPDF_BYTE)c;

            pdf->width[i][c] = HPDF_Font_TextWidth(pdf->font[i], &byte, 1).width;
        }
    }
}

enum aisp_status aisp_pdf_new(struct aisp_pdf **made, const char *title, bool is_compressed, struct aisp_err *err)
{
    struct aisp_pdf *pdf = aisp_xcalloc(1, sizeof *pdf);
    char *bytes = aisp_pdf_encode(title);

    pdf->doc = HPDF_New(failed, pdf);
    if (!pdf->doc && !pdf->error)
        pdf->error = HPDF_FAILD_TO_ALLOC_MEM;
    if (pdf->doc) {
        HPDF_SetCompressionMode(pdf->doc, is_compressed ? HPDF_COMP_ALL : HPDF_COMP_NONE);
        HPDF_SetInfoAttr(pdf->doc, HPDF_INFO_TITLE, bytes);
        HPDF_SetInfoAttr(pdf->doc, HPDF_INFO_CREATOR, "aisp bench report");
        load_fonts(pdf);
    }
    free(bytes);
    if (tell(pdf, err)) {
        aisp_pdf_free(pdf);
        return AISP_E_NO_MEMORY;
    }
    *made = pdf;
    return AISP_OK;
}

void aisp_pdf_free(struct aisp_pdf *pdf)
{
    if (!pdf)
        return;
    if (pdf->doc)
        HPDF_Free(pdf->doc);
    free(pdf->sheet);
    free(pdf);
}

enum aisp_status aisp_pdf_finish(struct aisp_pdf *pdf, struct aisp_buf *out, struct aisp_err *err)
{
    HPDF_BYTE bytes[4096];
    HPDF_UINT32 n = sizeof bytes;

    HPDF_SaveToStream(pdf->doc);
    for (HPDF_UINT32 left = HPDF_GetStreamSize(pdf->doc); left > 0 && n > 0 && !pdf->error; left -= n) {
        n = left < sizeof bytes ? left : sizeof bytes;
        HPDF_ReadFromStream(pdf->doc, bytes, &n);
        aisp_buf_add(out, bytes, n);
    }
    return tell(pdf, err);
}

void aisp_pdf_add_sheet(struct aisp_pdf *pdf)
{
    HPDF_Page *sheet = aisp_grow(&pdf->sheet, &pdf->n_sheets, &pdf->cap_sheets, sizeof *pdf->sheet);

    *sheet = pdf->page = HPDF_AddPage(pdf->doc);
    HPDF_Page_SetSize(pdf->page, HPDF_PAGE_SIZE_A4, HPDF_PAGE_PORTRAIT);
}

size_t aisp_pdf_n_sheets(const struct aisp_pdf *pdf)
{
    return pdf->n_sheets;
}

void aisp_pdf_turn_to(struct aisp_pdf *pdf, size_t sheet)
{
    pdf->page = pdf->sheet[sheet];
}

double aisp_pdf_width_of(const struct aisp_pdf *pdf, enum aisp_pdf_font font, double size, const char *bytes, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += pdf->width[font][(unsigned char)bytes[i]];
    return sum * size / 1000;
}

static float part(unsigned color, int shift)
{
    return (float)(color >> shift & 255) / 255;
}

void aisp_pdf_text(struct aisp_pdf *pdf, double x, double y, enum aisp_pdf_font font, double size, unsigned color,
                   const char *bytes)
{
    HPDF_Page_BeginText(pdf->page);
    HPDF_Page_SetFontAndSize(pdf->page, pdf->font[font], (float)size);
    HPDF_Page_SetRGBFill(pdf->page, part(color, 16), part(color, 8), part(color, 0));
    HPDF_Page_TextOut(pdf->page, (float)x, (float)(AISP_PDF_HEIGHT - y), bytes);
    HPDF_Page_EndText(pdf->page);
}

static void take_up(struct aisp_pdf *pdf, const struct aisp_pdf_pen *pen)
{
    static const HPDF_UINT16 dashes[] = { 2, 2 };

    HPDF_Page_SetRGBFill(pdf->page, part(pen->fill, 16), part(pen->fill, 8), part(pen->fill, 0));
    HPDF_Page_SetRGBStroke(pdf->page, part(pen->stroke, 16), part(pen->stroke, 8), part(pen->stroke, 0));
    HPDF_Page_SetLineWidth(pdf->page, (float)pen->width);
    HPDF_Page_SetLineCap(pdf->page, pen->is_round ? HPDF_ROUND_END : HPDF_BUTT_END);
    HPDF_Page_SetLineJoin(pdf->page, HPDF_ROUND_JOIN);
    HPDF_Page_SetDash(pdf->page, pen->is_dashed ? dashes : NULL, pen->is_dashed ? 2 : 0, 0);
}

void aisp_pdf_path(struct aisp_pdf *pdf, const struct aisp_pdf_pen *pen, const struct aisp_spot *spot, size_t n)
{
    if (!n)
        return;
    take_up(pdf, pen);
    for (size_t i = 0; i < n; i++)
        (i ? HPDF_Page_LineTo : HPDF_Page_MoveTo)(pdf->page, (float)spot[i].x, (float)(AISP_PDF_HEIGHT - spot[i].y));
    if (pen->is_filled)
        (pen->is_stroked ? HPDF_Page_ClosePathFillStroke : HPDF_Page_Fill)(pdf->page);
    else
        HPDF_Page_Stroke(pdf->page);
}

#else

enum aisp_status aisp_pdf_new(struct aisp_pdf **made, const char *title, bool is_compressed, struct aisp_err *err)
{
    (void)made, (void)title, (void)is_compressed;
    return aisp_fail(
        err, AISP_E_UNAVAILABLE,
        "this aisp was built without libharu and writes no PDF; install libhpdf-dev and build it again, or use --format html");
}

/* Nobody has a struct aisp_pdf. */
void aisp_pdf_free(struct aisp_pdf *pdf)
{
    (void)pdf;
}
enum aisp_status aisp_pdf_finish(struct aisp_pdf *pdf, struct aisp_buf *out, struct aisp_err *err)
{
    (void)pdf, (void)out, (void)err;
    return AISP_E_UNAVAILABLE;
}
void aisp_pdf_add_sheet(struct aisp_pdf *pdf)
{
    (void)pdf;
}
size_t aisp_pdf_n_sheets(const struct aisp_pdf *pdf)
{
    (void)pdf;
    return 0;
}
void aisp_pdf_turn_to(struct aisp_pdf *pdf, size_t sheet)
{
    (void)pdf, (void)sheet;
}
double aisp_pdf_width_of(const struct aisp_pdf *pdf, enum aisp_pdf_font font, double size, const char *bytes, size_t n)
{
    (void)pdf, (void)font, (void)size, (void)bytes;
    return (double)n;
}
void aisp_pdf_text(struct aisp_pdf *pdf, double x, double y, enum aisp_pdf_font font, double size, unsigned color,
                   const char *bytes)
{
    (void)pdf, (void)x, (void)y, (void)font, (void)size, (void)color, (void)bytes;
}
void aisp_pdf_path(struct aisp_pdf *pdf, const struct aisp_pdf_pen *pen, const struct aisp_spot *spot, size_t n)
{
    (void)pdf, (void)pen, (void)spot, (void)n;
}

#endif
