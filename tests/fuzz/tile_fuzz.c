/** Any bytes as a query of CK Tile's notation, answered and drawn: nothing crashes, every answer has a text, in
 *  time. */
#include "fuzz.h"

#include "in_time.h"
#include "../picture_of.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char answer[TSR_TEXT_SIZE];
    clock_t const begin = clock();
    char *const text = fuzz_text(data, size);
    if (!text)
        return 0;
    answer[0] = 0;
    if (!tsr_calc(text, 0, answer, sizeof answer) && answer[0] == 0)
        abort();
    tsr_picture_options const o = tsr_plain_picture();
    tsr_picture p = picture_of(text, &o);
    if (!tsr_picture_ok(&p) && p.refused[0] == 0)
        abort();
    tsr_picture_free(&p);
    free(text);
    check_time(begin);
    return 0;
}
