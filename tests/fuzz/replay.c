/* replay.c - run a fuzz function over a folder of inputs and 2,000 random damages of each: bytes changed, cut, doubled. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MAX = 1 << 20, DAMAGES = 2000 };

static uint64_t state = 88172645463325252ull;
static size_t draw(size_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return n ? state % n : 0;
}

static void run_damaged(const uint8_t *input, size_t n, uint8_t *work)
{
    size_t m = n;

    memcpy(work, input, n);
    for (size_t i = draw(6); i < 6 && m; i++)
        work[draw(m)] = draw(3) ? (uint8_t)draw(256) : work[draw(m)];
    if (!draw(4))
        m = draw(m + 1);
    if (!draw(8) && m && 2 * m <= MAX)
        memcpy(work + m, work, m), m *= 2;
    LLVMFuzzerTestOneInput(work, m);
}

int main(int argc, char **argv)
{
    uint8_t *input = malloc(MAX), *work = malloc(2 * (size_t)MAX);
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    int n_inputs = 0;

    if (!folder || !input || !work) {
        fprintf(stderr, "usage: %s FOLDER of inputs\n", argv[0]);
        return 2;
    }
    for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        char path[1024];
        FILE *f;
        size_t n;

        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        f = e->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!f)
            continue;
        n = fread(input, 1, MAX, f);
        fclose(f);
        LLVMFuzzerTestOneInput(input, n);
        for (int i = 0; i < DAMAGES; i++)
            run_damaged(input, n, work);
        n_inputs++;
    }
    closedir(folder);
    free(input);
    free(work);
    printf("%d inputs, %d damages of each\n", n_inputs, DAMAGES);
    return n_inputs ? 0 : 1;
}
