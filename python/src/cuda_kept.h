/** What calls on a GPU have planned, in a hash table by what their arrays are. */
#ifndef TSR_PYTHON_CUDA_KEPT_H
#define TSR_PYTHON_CUDA_KEPT_H

#include "cuda_chain.h"

enum { KEPT_ARRAYS = 8, KEPT_WORDS = 320, KEPT_ALIGNED = 256 };

/** The arrays of a call, of which those in front are read and one more may be written, and their key. */
typedef struct request {
    DLTensor array[KEPT_ARRAYS];
    uint64_t address[KEPT_ARRAYS];
    int arrays, words;
    bool multiplies;
    void *stream;
    uint64_t hash, key[KEPT_WORDS];
} request;

/** A plan, or what makes the result of a call and the plan that writes it. */
typedef struct kept {
    struct kept *next;
    uint64_t hash;
    tsr_gpu_device const *device;
    tsr_gpu_planned_copy *copy; /* its own */
    tsr_gpu_planned_gemm const *product;
    chain *chain;                                /* its own */
    int64_t low[KEPT_ARRAYS], high[KEPT_ARRAYS]; /* bytes before and behind an array's address */
    struct kept *writes;                         /* the plan of a result that the call makes, */
    PyObject *maker, *arguments;                 /* what is called for it, */
    PyObject *guard;                             /* cuda_guard_of the arrays, or NULL */
    uint64_t place;                              /* and where it begins in KEPT_ALIGNED bytes */
    int words;
    uint64_t key[];
} kept;

/** Reads the arrays of a call of a text, of two that differ that of matrices or that of batches of them; `made` is the
 *  type of a result that it makes, NULL where all are given. False, without an exception: a call that is not kept. */
bool kept_request(request *c, char const *const text[2], PyObject *made, PyObject *const *x, int arrays);

/** Reads the result of a call that has made it, as the last array; false: it is in another place. */
bool kept_result(request *c, PyObject *y);

kept *kept_find(request const *c);

/** A record of a request that has none, of which all is 0 but the key, the bounds and the guard. NULL: there is no
 *  memory, or the arrays are not plain. */
kept *kept_make(request const *c, PyObject *const *x, tsr_gpu_device const *device);

/** Whether the arrays of a request are plain, as those were that the record was made for. */
bool kept_serves(kept const *k, request const *c, PyObject *const *x);

/** Whether one more record would be too many, and all were dropped. */
bool kept_is_full(void);

/** Whether no array reaches into what is written, the last one. */
bool kept_apart(kept const *k, request const *c);

#endif
