/** Products on a GPU: what the parts of a plan say to each other. */
#ifndef TSR_SRC_GPU_GEMM_H
#define TSR_SRC_GPU_GEMM_H

#include "exec/gemm/problem.h"
#include "gpu/combine.h"
#include "gpu/copy_plan.h"
#include "gpu/kernels/gemm_any.h"
#include "gpu/kernels/hopper_list.h"
#include "gpu/kernels/pixels.h"
#include "gpu/scratch.h"
#include "gpu/tuning.h"
#include "tessera/atom/umma_tile.h"
#include "tessera/gpu/gemm.h"
#include "tessera/gpu/reduce.h"
#include "tessera/tma/tile.h"

#include <stddef.h>

/** A plan; 0 but for its memory, one that failed. */
struct tsr_gpu_planned_gemm {
    /* What a launch at other addresses copies and changes comes first; by TMA it ends before the loops */
    tsr_gpu_device const *device;
    bool by_tma, swapped; /* the kernel's A is the caller's B, and M and N have changed places */
    int packed_set;       /* operands that the kernel reads from copies: A 1, B 2, C and the bias 4 */
    int32_t parts;        /* of the epilogue */
    uint64_t map[3][16];  /* of A, B and C */
    uint64_t place[3];    /* to which they point */
    tsr_gemm_shape shape;
    tsr_gemm_numbers epilogue;
    tsr_gemm_any loops;
    /* What stays */
    tsr_gpu_kernel kernel;
    tsr_gpu_launch launch;
    tsr_gpu_planned_combine *combined; /* what an einsum that sums nothing is; NULL: a product */
    tsr_gpu_planned_reduce *dots;      /* what one is of which M or N is 1; NULL: another one */
    tsr_reason why;                    /* why not by TMA, or not without copies */
    bool unproven;                     /* kernels that no GPU has run are allowed */
    double slower;                     /* as in gpu_compiled; 1: no kernel stands in */
    bool stands_in;                    /* one that was compiled does */
    bool by_umma;                      /* by tcgen05.mma, as it is by TMA */
    int rank;                          /* how many choices of the model are better */
    int32_t groups;                    /* products in one launch; 0: one that is no group */
    tsr_hopper_tile tile;              /* by TMA */
    int64_t tiles;                     /* how many there are of them, all parts of K counted; of rows, at most */
    uint64_t at[TSR_OPERANDS];         /* the caller's operands */
    uint8_t copied[TSR_OPERANDS];      /* the operands that copies read */
    tsr_gemm_pixels pixels;            /* where the kernel's A is an image: without dimensions, it is none */
    tsr_gemm_list list;                /* of groups */
    tsr_gemm_rows rows;                /* of groups whose sizes the device knows: what makes the list */
    tsr_gpu_kernel lister;
    int32_t access;         /* how plain loops read A and B: TSR_ANY_A_ROWS, ... of gpu/kernels/gemm_any.h */
    tsr_gpu_memory records; /* for groups */
    gpu_scratch sums;       /* of parts of K */
    gpu_scratch packed;
    int32_t copies_before, copies_behind;
    /* Copies to and from plain matrices, for layouts that the copy engine cannot read: the operands' before the
     * product, the result's after it */
    tsr_gpu_planned_copy copy[TSR_OPERANDS + 1];
};

/** A product whose loops were found, seen from one of its sides: `swapped`, the caller's B has the rows. */
typedef struct gpu_product {
    tsr_gemm_problem const *of;
    tsr_gemm_loops const *m, *n;
    tsr_tensor const *a, *b;
    int left, right; /* the operands that a and b are */
} gpu_product;

gpu_product tsr_gpu_product_of_(tsr_gemm_problem const *of, bool swapped);

/** The step of a mode of one loop; 0 of one of one element. */
int64_t tsr_gpu_step_(tsr_gemm_loops const *x, int operand);

/** Kernels of products. */
typedef enum gpu_gemm_form {
    GPU_GEMM,
    GPU_GROUPS,
    GPU_LISTS,
    GPU_LOOPS,
    GPU_COPIES,
    GPU_IMAGE,
    GPU_UMMA
} gpu_gemm_form;

/** Whose kernels may stand in for the best one, NULL: none, if they take at most so many times as long, 0: hardly
 *  longer. */
typedef struct gpu_compiled {
    tsr_gpu_cache const *cache;
    double slower;
} gpu_compiled;

/** What is to be done in a launch: `count` products; of one, perhaps, `groups` times, the rows of A divided among
 *  them. */
typedef struct gpu_work {
    tsr_gemm_problem const *plan;
    int count, groups;
    tsr_gemm_problem const *like; /* the one whose neighbours all have */
    int parts;                    /* of the epilogue */
    int flags;                    /* TSR_HOPPER_D_ANY, _SCALES, _MODES, _BATCHES */
    int processors;               /* of the device */
    int splits;                   /* parts of K at most: those of a list have one */
    double above;                 /* choices that take no more clocks are passed over */
    int without;                  /* sides not tried: 1 as the caller has A and B, 2 in each other's place */
    gpu_compiled compiled;
    gpu_gemm_form form;           /* of these kernels, */
    int dims;                     /* with the dimensions of an image, */
    tsr_gpu_device const *device; /* on this device */
} gpu_work;

/** Parts of K of a product alone, at most: always, and while each has a multiprocessor of its own. */
enum { GPU_FEW_SPLITS = 8, GPU_MOST_SPLITS = 32 };

/** How it is cut: the tile of least time, with the parts of K. No tile: tile.why says why. */
typedef struct gpu_choice {
    tsr_hopper_tile tile;
    bool swapped;
    int splits;
    int64_t tiles, blocks; /* that there are; that run at once */
    double clocks;
    bool stands_in; /* a kernel that is compiled, for the best one */
} gpu_choice;

#define GPU_NEVER 1e300

gpu_choice tsr_gpu_choose_(gpu_work const *work);

/** The tile of the next kernel behind *at, NULL: the first one, that multiplies as that of `tile`, in other tiles: m, n
 *  and flags to `next`. False: there is none. */
bool tsr_gpu_next_compiled_(gpu_work const *work, tsr_hopper_tile const *tile, tsr_gpu_multiplier const **at,
                            tsr_hopper_tile *next);

/** What TMA is told of A and of B in tiles of so many rows; `flags` are those of a tile. */
tsr_tma_desc tsr_gpu_map_a_(gpu_product const *p, int rows, int flags);
tsr_tma_desc tsr_gpu_map_b_(gpu_product const *p, int columns, int flags);

/** The neighbours of A, B and C: TSR_HOPPER_A_MN, B_MN, D_MN. */
int tsr_gpu_majors_(gpu_product const *p);

/** The bytes of an epilogue without what a tile does not have. */
static inline size_t gpu_epilogue_bytes(int flags)
{
    return flags & TSR_HOPPER_SCALES ? sizeof(tsr_gemm_numbers) : offsetof(tsr_gemm_numbers, scales);
}

/** Why a product does not go by TMA and wgmma, whatever the tile; or no reason. `loops` is how many one of M, N and
 *  K may have, 1 or 2. */
tsr_reason tsr_gpu_cut_reason_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, int loops);

/** The same, whatever the device. */
tsr_reason tsr_gpu_loops_reason_(tsr_gemm_problem const *plan, int loops);

/** Cuts the product for tcgen05.mma; the reason why that is not possible. */
tsr_reason tsr_gpu_cut_umma_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, gpu_choice *choice,
                             tsr_tma_desc desc[3]);

/** TSR_HOPPER_BATCHES where the batches go through memory in two loops, TSR_HOPPER_MODES where one of M, N and K does,
 *  else 0. */
int tsr_gpu_modes_(tsr_gemm_problem const *plan);

/** Whether such loops can be cut in tiles of this kind. */
bool tsr_gpu_divides_(gpu_product const *p, tsr_hopper_tile const *tile);

/** TSR_HOPPER_D_ANY where TMA cannot store the result, else 0. */
int tsr_gpu_any_result_(tsr_gemm_problem const *plan);

/** Why the copy engine cannot take A or B, whatever the tile; or no reason. */
tsr_reason tsr_gpu_operands_reason_(tsr_gemm_problem const *plan);

/** What the copy engine is told of the result in the tiles of a choice. */
tsr_tma_desc tsr_gpu_result_map_(tsr_gemm_problem const *plan, gpu_choice const *choice);

/** An operand that is an im2col view of an image, as a product sees it (gpu/kernels/pixels.h). */
typedef struct gpu_pixels {
    tsr_gemm_pixels view;
    int operand;                                           /* in the order of the problem */
    bool swapped;                                          /* the kernel's A is the caller's B */
    int channels;                                          /* the loop of K */
    int tap[TSR_PIXEL_DIMS];                               /* of each dimension, or -1 */
    int64_t pitch[TSR_PIXEL_DIMS], extent[TSR_PIXEL_DIMS]; /* elements */
    int64_t images, between;                               /* how many, and elements from one to the next */
} gpu_pixels;

/** Finds it. `seen` is the product with one loop of pixels and one of K, in which each tap has whole steps. */
bool tsr_gpu_find_pixels_(tsr_gemm_problem const *plan, gpu_pixels *x, tsr_gemm_problem *seen);

/** What the copy engine is told of the image, in tiles of `rows` pixels, and of the other operand. */
tsr_tma_desc tsr_gpu_image_map_(tsr_gemm_problem const *plan, gpu_pixels const *x, int rows);
tsr_tma_desc tsr_gpu_filter_map_(tsr_gemm_problem const *plan, gpu_pixels const *x, int columns, int flags);

/** The maps of a product as it is cut, or why the copy engine cannot take it. */
tsr_reason tsr_gpu_describe_(tsr_gemm_problem const *plan, gpu_choice const *choice, tsr_tma_desc desc[3]);

/** What the kernel is told of it, or what the driver says of a map. */
tsr_reason tsr_gpu_make_record_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, gpu_choice const *choice,
                                tsr_tma_desc const desc[3], tsr_gemm_record *record);

/** Whether the tensor cores take such a factor of integers. */
static inline bool gpu_is_small_integer(double x) { return x >= -1e6 && x <= 1e6 && x == (double)(int32_t)x; }

/** The parts of an epilogue that a product has. */
int tsr_gpu_parts_of_(tsr_product_ const *product);

/** A matrix (V,rows,columns) or (rows,columns) of the extents of a layout's modes, by rows, or of 16 bits by columns
 *  where the layout is, each of which begins at a multiple of 16 bytes. */
tsr_tensor tsr_gpu_plain_matrix_(uint64_t address, tsr_dtype type, tsr_layout of);

/** The first of the matrices (V,rows,columns). */
tsr_tensor tsr_gpu_without_batch_(tsr_tensor t);

/** The clocks of a product by TMA without copies. GPU_NEVER if TMA cannot do it. */
double tsr_gpu_cut_clocks_(tsr_gpu_device const *device, tsr_gemm_problem const *plan);

/** Finds plain matrices for as few bytes of the tensors as make a product go by TMA, plans the copies and makes `plan`
 *  the product of the new tensors. Where there are none, or loops take less time, nothing. */
tsr_gpu_result tsr_gpu_pack_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gpu_log const *log,
                             tsr_gemm_problem *plan);

/** The boxes of a tile rows by columns of a Hopper product, its neighbours along mode `along`, shared by `parts` CTAs:
 *  tsr_make_tma_tile of its layout, tsr_hopper_smem, without `start`, from the lengths of its lines alone. */
tsr_tma_tile tsr_gpu_boxes_(tsr_dtype type, int rows, int columns, int along, int parts);

/** The scales as the kernel takes them, or why it cannot. */
tsr_reason tsr_gpu_find_scales_(tsr_tensor a, tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b,
                                tsr_gemm_scales *scales);

/** PRODUCT of a product of a group, its reason in the log. */
tsr_gpu_result tsr_gpu_refuse_product_(tsr_reason why, int number, tsr_gpu_log const *log);

/** The loops of a product that a kernel can do. */
tsr_gpu_result tsr_gpu_plan_loops_(tsr_gpu_device const *device, tsr_tensor a, tsr_tensor b, tsr_tensor c,
                                   tsr_epilogue const *epilogue, int number, tsr_gpu_log const *log,
                                   tsr_gemm_problem *plan);

/** The launch of a product that is cut. */
void tsr_gpu_take_choice_(tsr_gpu_planned_gemm *g, gpu_choice const *choice);

/** The kernel of a form for a plan's tile and epilogue: the cache's, which keeps it, or compiled. */
tsr_gpu_result tsr_gpu_hopper_kernel_(tsr_gpu_planned_gemm const *g, tsr_gpu_cache *cache, gpu_gemm_form form,
                                      tsr_dtype bias, tsr_gpu_log const *log, tsr_gpu_multiplier **kernel);
tsr_gpu_result tsr_gpu_loops_kernel_(tsr_gpu_planned_gemm const *g, tsr_gpu_cache *cache, tsr_product_ const *x,
                                     tsr_gpu_log const *log, tsr_gpu_multiplier **kernel);
tsr_gpu_kernel const *tsr_gpu_kernel_of_(tsr_gpu_multiplier const *kernel);

/** Checks a launch of it. What the driver is asked for once, by the first launch, is the same for all: block, cluster
 *  and shared memory follow from what the kernel was compiled for. */
tsr_gpu_result tsr_gpu_prepare_multiplier_(tsr_gpu_multiplier *kernel, tsr_gpu_launch const *launch,
                                           tsr_gpu_argument const *arguments, int count);

/** Integers, whose codes come first. */
static inline bool gpu_is_whole(tsr_dtype type) { return type / 256 < 2; }

/** The memory that parts of K need, `divided` tiles in `splits` parts: `each` numbers for each tile, 0, then the sums,
 *  of `bytes` bytes each. */
tsr_gpu_result tsr_gpu_find_scratch_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, int64_t divided, int64_t splits,
                                     int each, int bytes, uint64_t *arrived, uint64_t *partial);

/** Whether the operands are halves that tensor cores multiply from wherever they lie. */
bool tsr_gpu_has_halves_(tsr_gpu_device const *device, tsr_product_ const *x);

/** The tile and the parts of K by plain loops, and the clocks that they take. */
double tsr_gpu_choose_loops_(tsr_gpu_planned_gemm *g, tsr_gemm_problem const *p);

/** The plan by plain loops. */
tsr_gpu_result tsr_gpu_take_loops_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *p);

/** Everything that one product needs, by TMA, behind copies, or by plain loops. */
tsr_gpu_result tsr_gpu_make_gemm_(tsr_gpu_planned_gemm *g, tsr_gpu_cache *cache, tsr_gemm_problem const *plan,
                                  int flags, tsr_gpu_log const *log);

/** What a plan is asked for: gemm, or the einsum of a text. */
typedef struct gpu_gemm_request {
    tsr_gpu_cache *cache;
    tsr_gpu_device const *device;
    char const *text;
    tsr_tensor a, b, c;
    tsr_epilogue const *epilogue;
    tsr_gpu_log const *log;
    bool unproven;
    double slower; /* as in a plan */
} gpu_gemm_request;

/** Whether a product (V,M,K) sums nothing, and nothing is done to it; then its plan as a combination of the modes of
 *  einsum. */
bool tsr_gpu_sums_nothing_(tsr_tensor const *a, tsr_epilogue const *e);
tsr_gpu_result tsr_gpu_combine_gemm_(gpu_gemm_request const *x, tsr_tensor a, tsr_tensor b, tsr_tensor c,
                                     tsr_gpu_planned_gemm *g);

/** The plan of a choice that is not the best one of the model: of rank 0 that is it. */
tsr_gpu_result tsr_gpu_plan_ranked_(gpu_gemm_request const *x, int rank, tsr_gpu_planned_gemm **plan);

/** A plan that is 0, and the log emptied; OUT_OF_MEMORY. */
tsr_gpu_result tsr_gpu_begin_gemm_(tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan);

/** The result of a plan: one that failed is given back. */
tsr_gpu_result tsr_gpu_end_gemm_(tsr_gpu_result r, tsr_gpu_planned_gemm **plan);

/** Gives the plan its kernel, and does the work that precedes the first launch. */
tsr_gpu_result tsr_gpu_prepare_gemm_(tsr_gpu_planned_gemm *g, tsr_gpu_multiplier *with);

#endif
