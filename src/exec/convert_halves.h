/* Lines of f16 to floats, and back, by instructions, where the row has them.
 *
 *  Law     those of exec/convert.h: NaN is one pattern.
 */
#if VECTOR == 64
static inline __m512 f16_to_floats(__m256i x)
{
    __m512 const r = _mm512_cvtph_ps(x), nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000));
    return _mm512_mask_mov_ps(r, _mm512_cmp_ps_mask(r, r, _CMP_UNORD_Q), nan);
}

static inline __m256i floats_to_f16(__m512 x)
{
    __mmask16 const none = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    __m256i const r = _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm256_mask_mov_epi16(r, none, _mm256_set1_epi16(0x7e00));
}

/** Whether these are lines of f16 and of floats, which are then converted. */
static bool convert_f16(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from, int64_t from_step,
                        int64_t n, int64_t lines)
{
    bool const back = pass->to.type == TSR_F16 && pass->from.type == TSR_F32;
    if (!back && (pass->to.type != TSR_F32 || pass->from.type != TSR_F16))
        return false;
    for (int64_t line = 0; line < lines; ++line)
        for (int64_t i = 0; i < n; i += 16) {
            __mmask16 const here = (__mmask16)(0xffff >> (16 - tsr_min64(n - i, 16)));
            unsigned char *const q = (unsigned char *)to + line * to_step + i * (back ? 2 : 4);
            unsigned char const *const p = (unsigned char const *)from + line * from_step + i * (back ? 4 : 2);
            if (back)
                _mm256_mask_storeu_epi16(q, here, floats_to_f16(_mm512_maskz_loadu_ps(here, p)));
            else
                _mm512_mask_storeu_ps(q, here, f16_to_floats(_mm256_maskz_loadu_epi16(here, p)));
        }
    return true;
}
#else
static bool convert_f16(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from, int64_t from_step,
                        int64_t n, int64_t lines)
{
    (void)pass, (void)to, (void)to_step, (void)from, (void)from_step, (void)n, (void)lines;
    return false;
}
#endif
