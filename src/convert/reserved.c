/** The reserved words of each language, in one table. */
#include "convert/reserved.h"

#include <string.h>

/* Which languages a row is of: C, all that are C++, CUDA and HIP's kernels, all that are Python, Triton. */
enum { C = 1, CXX = 2, KERNEL = 4, PYTHON = 8, TRITON = 16, CUTE = 32, BOTH = C | CXX, ALL = C | CXX | PYTHON };

typedef struct words {
    unsigned in;
    char const *words; /* with blanks around each */
} words;

static words const rows[] = {
    {ALL, " break continue else for if return while "},
    {BOTH,
     " auto case char const default do double enum extern float goto inline int long register short signed sizeof "
     "static struct switch typedef union unsigned void volatile bool true false alignas alignof constexpr "
     "nullptr static_assert thread_local typeof typeof_unqual asm linux unix i386 NULL EOF "},
    {C, " restrict "},
    {CXX | PYTHON, " and class not or try import "},
    {CXX,
     " and_eq bitand bitor catch char8_t char16_t char32_t co_await co_return co_yield compl concept const_cast "
     "consteval constinit decltype delete dynamic_cast explicit export friend module mutable namespace new noexcept "
     "not_eq operator or_eq private protected public reinterpret_cast requires static_cast template this throw "
     "typeid typename using virtual wchar_t xor xor_eq std errno stdin stdout stderr assert NAN INFINITY major "
     "minor "},
    {KERNEL, " threadIdx blockIdx blockDim gridDim warpSize uint3 dim3 hipThreadIdx_x hipThreadIdx_y hipThreadIdx_z "
             "hipBlockIdx_x hipBlockIdx_y hipBlockIdx_z hipBlockDim_x hipBlockDim_y hipBlockDim_z hipGridDim_x "
             "hipGridDim_y hipGridDim_z "},
    {CUTE, " cute cutlass "},
    {PYTHON,
     " as assert async await def del elif except finally from global in is lambda nonlocal pass raise with yield "
     "None True False "},
    {TRITON, " tl triton "},
};

static unsigned const languages[TSR_CODES] = {
    C, CXX | KERNEL, CXX | KERNEL, PYTHON, PYTHON | TRITON, CXX | KERNEL | CUTE,
};

static bool ends(char const *name, char const *with)
{
    size_t const n = strlen(name), k = strlen(with);
    return n >= k && strcmp(name + n - k, with) == 0;
}

/** Names that headers of C keep: types, limits, and what begins with an underscore. */
static bool is_kept(char const *name)
{
    static char const *const behind[] = {"_t", "_MAX", "_MIN", "_WIDTH"};
    bool kept = name[0] == '_';
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; ++i)
        kept = kept || ends(name, behind[i]);
    return kept || strncmp(name, "M_", 2) == 0 || strncmp(name, "FP_", 3) == 0;
}

bool tsr_code_reserves_(tsr_code in, char const *name)
{
    static char const letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t const n = strlen(name);
    if (in >= TSR_CODES || n == 0 || strspn(name, letters) != n || (name[0] >= '0' && name[0] <= '9'))
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (char const *at = rows[i].in & languages[in] ? strstr(rows[i].words, name) : NULL; at;
             at = strstr(at + 1, name))
            if (at[-1] == ' ' && at[n] == ' ')
                return true;
    return (languages[in] & BOTH) && is_kept(name);
}
