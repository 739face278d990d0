/* nvidia.c - read /proc/driver/nvidia. */
#include "doctor/nvidia.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool aisp_nvidia_version(const struct aisp_root *root, char *to, size_t size)
{
    char line[256];

    *to = 0;
    if (!aisp_root_line(root, line, sizeof line, "/proc/driver/nvidia/version"))
        return false;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        if (isdigit((unsigned char)*word) && strchr(word, '.')) {   /* the first word that looks like 580.65.06 */
            snprintf(to, size, "%s", word);
            return true;
        }
    return false;
}

bool aisp_nvidia_is_open(const struct aisp_root *root)
{
    char line[256];

    return aisp_root_line(root, line, sizeof line, "/proc/driver/nvidia/version") && strstr(line, "Open Kernel Module");
}

bool aisp_nvidia_list(const struct aisp_root *root, struct aisp_root_names *gpus)
{
    return aisp_root_list(root, gpus, "", "/proc/driver/nvidia/gpus");
}

bool aisp_nvidia_information(const struct aisp_root *root, const char *address, const char *key, char *to, size_t size)
{
    char *text = aisp_root_text(root, "/proc/driver/nvidia/gpus/%s/information", address);
    const bool good = aisp_text_field(text, key, to, size);

    free(text);
    return good;
}

bool aisp_nvidia_setting(const struct aisp_root *root, const char *name, int64_t *value)
{
    char *text = aisp_root_text(root, "/proc/driver/nvidia/params");
    const bool good = aisp_text_integer(text, name, value);

    free(text);
    return good;
}

const struct aisp_nvidia_model *aisp_nvidia_model_of(const char *name)
{
    /* First driver branch and toolkit by NVIDIA's release notes. Blackwell is served by the open module alone. */
    static const struct aisp_nvidia_model models[] = {
        { "GB300", 575, 1209, true }, { "B300", 575, 1209, true },  { "GB200", 570, 1208, true },
        { "B200", 570, 1208, true },  { "B100", 570, 1208, true },  { "RTX 50", 570, 1208, true },
        { "RTX PRO", 570, 1208, true }, { "GH200", 535, 1108, true }, { "H200", 535, 1108, false },
        { "H100", 525, 1108, false },  { "H800", 525, 1108, false },  { "H20", 535, 1108, false },
        { "L40", 525, 1108, false },   { "L4", 525, 1108, false },    { "RTX 40", 520, 1108, false },
        { "A100", 450, 1100, false },  { "A800", 470, 1100, false },  { "A10", 470, 1101, false },
        { "A40", 455, 1101, false },   { "RTX 30", 455, 1101, false }, { "T4", 410, 1000, false },
        { "V100", 384, 900, false },
    };

    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strstr(name, models[i].word))
            return &models[i];
    return NULL;
}
