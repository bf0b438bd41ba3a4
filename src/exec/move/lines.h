/* Tiles of items of S bytes, which are whole lines: as many each way as TSR_GROUP_LINES lines hold. */

static void NAMED(part)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                        int64_t lines, int64_t items)
{
    for (int64_t i = 0; i < items; ++i)
        for (int64_t j = 0; j < lines; ++j)
            for (int k = 0; k < S; k += LINE)
                copy_line(to + i * to_step + j * S + k, from + j * from_step + i * S + k);
}

static void NAMED(tile)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, bool stream)
{
    enum { N = TSR_GROUP_LINES * LINE / S };
    if (!stream) {
        NAMED(part)(to, to_step, from, from_step, N, N);
        return;
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            for (int k = 0; k < S; k += LINE)
                stream_line(to + i * to_step + j * S + k, from + j * from_step + i * S + k);
}

#undef S
