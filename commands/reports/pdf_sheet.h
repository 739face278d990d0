/* pdf_sheet.h - sheets of A4 and what can be put on them: texts and paths. Points (1/72 inch), y downwards from the top edge.
 * Not here: lines that wrap and tables that break (pdf_flow.h), what is said (pdf.c).
 * Built on libharu, or, without it, refusing to begin. */
#ifndef AISP_COMMANDS_REPORTS_PDF_SHEET_H
#define AISP_COMMANDS_REPORTS_PDF_SHEET_H

#include <stdbool.h>

#include "commands/reports/marks.h"
#include "core/base/err.h"

#define AISP_PDF_WIDTH 595.276
#define AISP_PDF_HEIGHT 841.89

enum aisp_pdf_font { AISP_PDF_REGULAR, AISP_PDF_BOLD, AISP_PDF_N_FONTS };

/* 0xRRGGBB */
struct aisp_pdf_pen {
    unsigned fill, stroke;
    bool is_filled, is_stroked, is_dashed, is_round;
    double width;
};

struct aisp_pdf;
/* Errors: AISP_E_UNAVAILABLE (built without libharu), AISP_E_NO_MEMORY. Uncompressed is for who wants to read the operators. */
enum aisp_status aisp_pdf_new(struct aisp_pdf **pdf, const char *title, bool is_compressed, struct aisp_err *err);
void aisp_pdf_free(struct aisp_pdf *pdf);
/* What went wrong on the way is told here, once. */
enum aisp_status aisp_pdf_finish(struct aisp_pdf *pdf, struct aisp_buf *out, struct aisp_err *err);

/* A new sheet becomes the one that is written on; another can be taken up again. */
void aisp_pdf_add_sheet(struct aisp_pdf *pdf);
size_t aisp_pdf_n_sheets(const struct aisp_pdf *pdf);
void aisp_pdf_turn_to(struct aisp_pdf *pdf, size_t sheet);

/* Texts are bytes in the fonts' encoding, not UTF-8. */
double aisp_pdf_width_of(const struct aisp_pdf *pdf, enum aisp_pdf_font font, double size, const char *bytes, size_t n);
void aisp_pdf_text(struct aisp_pdf *pdf, double x, double y, enum aisp_pdf_font font, double size, unsigned color,
                   const char *bytes);
void aisp_pdf_path(struct aisp_pdf *pdf, const struct aisp_pdf_pen *pen, const struct aisp_spot *spot, size_t n);

/* UTF-8 as bytes of WinAnsi; what that has no letter for, control characters among it, reads [U+001B]. Caller frees. */
char *aisp_pdf_encode(const char *text);

#endif
