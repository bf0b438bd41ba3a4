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

#  if defined(FLOATS) /* else the compiler makes the loops of casts */
#    if VECTOR == 32  /* four vectors become one of bytes */
#      define OF_CAST(to_type) (TSR_##to_type % 256 == 8 ? 4 * FLOATS : FLOATS)
#    else
#      define OF_CAST(to_type) FLOATS
#    endif
#    define CAST(to_type, from_type)                                                                  \
      char elements_cast_##from_type##_##to_type[OF_CAST(to_type)];                                   \
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
      sums(TSR_##type, to, TSR_##type, from, u, tsr_lines_of_(n, 1, 0, 0));                               \
    }
UPDATE(F32)
#  if defined(TSR_SRC_EXEC_COMPUTE_UPDATE_BRAINS_H)
char elements_update_BF16[BRAINS];
LOOP void update_BF16(unsigned char *to, unsigned char const *from, tsr_update const *u, int64_t n)
{
    brains const k = brains_of(u);
    for (int64_t at = 0; at + BRAINS <= n && add_brains(&k, to + 2 * at, from + 2 * at, BRAINS, true);)
        at += BRAINS;
}
#  else
UPDATE(BF16)
#  endif
#endif
