/* The loops whose instructions bench/inner_loops.py counts: of one row of the engine, whose file it names by -D, with
 * constant types. The size of elements_X is what a turn of the loop of X takes. Nothing here runs. */
#include FILE_OF_ROW

#if defined(TARGET_OF_ROW)
#  include TARGET_OF_ROW
#endif

#define LOOP __attribute__((noinline))

#if defined(OF_MOVES)
char elements_strip_1[at_once_1 * LINE], elements_strip_2[at_once_2 * LINE / 2],
    elements_strip_4[at_once_4 * LINE / 4], elements_strip_8[at_once_8 * LINE / 8];

#  if defined(PACKET) /* else the compiler makes the loops of casts */
#    define CAST(to_type, from_type)                                                                  \
      char elements_cast_##from_type##_##to_type[CONVERTED * PACKET];                                 \
      LOOP void cast_##from_type##_##to_type(unsigned char *to, unsigned char const *from, int64_t n) \
      {                                                                                               \
        convert_line_of(TSR_##to_type, to, TSR_##from_type, from, n);                                 \
      }
CAST(F16, F32)
CAST(BF16, F32)
CAST(F8_E4M3FN, F32)
CAST(F32, F16)
CAST(F32, BF16)
CAST(F32, F8_E4M3FN)
#  endif
#endif

#if defined(OF_UPDATES)
#  define UPDATE(type)                                                                                    \
    char elements_update_##type[MANY];                                                                    \
    LOOP void update_##type(unsigned char *to, unsigned char const *from, tsr_update const *u, int64_t n) \
    {                                                                                                     \
      update_constant(TSR_##type, to, TSR_##type, from, u, tsr_lines_of_(n, 1, 0, 0));                    \
    }
UPDATE(F32)
#  if VECTOR == 32
char elements_update_BF16[MANY_BF16];
LOOP void update_BF16(unsigned char *to, unsigned char const *from, tsr_update const *u, int64_t n)
{
    bf16_factors const k = bf16_factors_of(u);
    for (int64_t at = 0; at + MANY_BF16 <= n && add_bf16(&k, to + 2 * at, from + 2 * at, MANY_BF16, true);)
        at += MANY_BF16;
}
#  else
UPDATE(BF16)
#  endif
#endif
