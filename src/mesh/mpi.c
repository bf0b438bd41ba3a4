/** The transport of MPI. What a function of MPI refuses is an error of the run, if the communicator returns errors. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"
#include "tessera/mesh/mpi.h"

enum { SLOTS = 2 * TSR_DIST_FLIGHT, TAG = 1, TOGETHER = -2 };

struct tsr_dist_mpi {
    MPI_Comm world, host;
    MPI_Win window;
    MPI_Request request[SLOTS], barrier;
    int64_t started[SLOTS];     /* of a slot: a request that is kept, or its own one: -1, or TOGETHER */
    double since[SLOTS], began; /* when it was started */
    double timeout;             /* seconds; 0: for ever */
    MPI_Request *kept;
    int64_t kept_count, capacity;
    bool in_barrier;
    char why[256];
    int rank, ranks, hosted; /* hosted: how many ranks this one's host has */
    int64_t host_ranks;      /* in a row on every host */
    int *local;              /* the rank of each rank on this host, or MPI_UNDEFINED */
    void const **seen;       /* the memory of each, in windows */
    int *counts;             /* of a collective: sent, where, received, where */
};

static bool failed(tsr_message *error, int code, char const *what)
{
    char words[MPI_MAX_ERROR_STRING + 1] = "";
    int n = 0;
    MPI_Error_string(code, words, &n);
    error->at = 0;
    snprintf(error->text, sizeof error->text, "MPI cannot %s: %s", what, words);
    return false;
}

/** Takes note of why the last call failed; returns whether it did not. */
static bool worked(tsr_dist_mpi *m, int code)
{
    char words[MPI_MAX_ERROR_STRING + 1] = "";
    int n = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, words, &n);
    snprintf(m->why, sizeof m->why, "%.200s", words);
    return false;
}

static char const *mpi_why(void *self) { return ((tsr_dist_mpi *)self)->why; }

/** Has it waited for too long? */
static bool tired(tsr_dist_mpi *m, double since)
{
    if (m->timeout <= 0 || MPI_Wtime() - since < m->timeout)
        return false;
    snprintf(m->why, sizeof m->why, "no answer for %g s, a rank may have ended", m->timeout);
    return true;
}

static MPI_Request *request_of(tsr_dist_mpi *m, int64_t slot)
{
    return m->started[slot] < 0 ? &m->request[slot] : &m->kept[m->started[slot]];
}

static bool started(tsr_dist_mpi *m, int64_t slot, int64_t kept, int code)
{
    m->started[slot] = kept;
    m->since[slot] = MPI_Wtime();
    return worked(m, code);
}

static bool mpi_send(void *self, int64_t slot, int64_t to, void const *bytes, int64_t n)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    MPI_Request *const r = &m->request[slot];
    return started(m, slot, -1, MPI_Isend(bytes, (int)n, MPI_BYTE, (int)to, TAG, m->world, r));
}

static bool mpi_receive(void *self, int64_t slot, int64_t from, void *bytes, int64_t n)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    MPI_Request *const r = &m->request[slot];
    return started(m, slot, -1, MPI_Irecv(bytes, (int)n, MPI_BYTE, (int)from, TAG, m->world, r));
}

static int mpi_done(void *self, int64_t slot)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    int done = 0;
    if (!worked(m, MPI_Test(request_of(m, slot), &done, MPI_STATUS_IGNORE)))
        return -1;
    return done || !tired(m, m->since[slot]) ? done : -1;
}

/** A receive ends at once. A message that is being sent, or has come in part, is left to MPI with its memory. */
static bool mpi_cancel(void *self, int64_t slot)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    MPI_Request *const r = request_of(m, slot);
    int done = 0;
    if (*r == MPI_REQUEST_NULL || (MPI_Test(r, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done))
        return true;
    if (m->started[slot] == TOGETHER) /* which cannot be ended */
        return false;
    if (slot >= TSR_DIST_FLIGHT && MPI_Cancel(r) == MPI_SUCCESS)
        (void)MPI_Test(r, &done, MPI_STATUS_IGNORE);
    if (!done)
        (void)MPI_Request_free(r);
    return done != 0;
}

static int64_t mpi_keep(void *self, bool sent, int64_t peer, void *bytes, int64_t n)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    int64_t i = 0;
    while (i < m->kept_count && m->kept[i] != MPI_REQUEST_NULL)
        ++i;
    if (i == m->kept_count && !tsr_dist_grow_((void **)&m->kept, i, &m->capacity, sizeof *m->kept))
        return -1;
    m->kept_count = i == m->kept_count ? i + 1 : m->kept_count;
    m->kept[i] = MPI_REQUEST_NULL;
    int const code = sent ? MPI_Send_init(bytes, (int)n, MPI_BYTE, (int)peer, TAG, m->world, &m->kept[i])
                          : MPI_Recv_init(bytes, (int)n, MPI_BYTE, (int)peer, TAG, m->world, &m->kept[i]);
    return code == MPI_SUCCESS ? i : -1;
}

static bool mpi_start(void *self, int64_t slot, int64_t request)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    return started(m, slot, request, MPI_Start(&m->kept[request]));
}

static void mpi_drop(void *self, int64_t request)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    if (m->kept[request] != MPI_REQUEST_NULL)
        (void)MPI_Request_free(&m->kept[request]);
}

/** A barrier between which and the next one nobody waits. What was written before it is seen behind it. */
static int mpi_barrier(void *self)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    int done = 0;
    if (m->window == MPI_WIN_NULL)
        return 1;
    if (!m->in_barrier) {
        if (!worked(m, MPI_Win_sync(m->window)) || !worked(m, MPI_Ibarrier(m->world, &m->barrier)))
            return -1;
        m->began = MPI_Wtime();
    }
    m->in_barrier = true;
    if (!worked(m, MPI_Test(&m->barrier, &done, MPI_STATUS_IGNORE)))
        return -1;
    m->in_barrier = !done;
    if (done && !worked(m, MPI_Win_sync(m->window)))
        return -1;
    return done || !tired(m, m->began) ? done : -1;
}

static void const *mpi_window(void *self, int64_t rank) { return ((tsr_dist_mpi *)self)->seen[rank]; }

/** The type of integers whose sums MPI knows. */
static MPI_Datatype integers(tsr_dtype type)
{
    MPI_Datatype const known[2][4] = {{MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T},
                                      {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}};
    int const code = tsr_dtype_code(type), bits = tsr_dtype_bits(type);
    for (int k = 0; k < 4 && (code == 0 || code == 1); ++k)
        if (bits == 8 << k)
            return known[code][k];
    return MPI_DATATYPE_NULL;
}

/** By windows each element is copied once, which no collective does. Between two ranks only sums save messages. */
static bool mpi_joins(void *self, tsr_dist_collective kind, tsr_dtype type)
{
    tsr_dist_mpi const *const m = (tsr_dist_mpi const *)self;
    bool const sums = kind == TSR_DIST_REDUCE_SCATTER || kind == TSR_DIST_ALLREDUCE;
    return m->window == MPI_WIN_NULL && (sums ? integers(type) != MPI_DATATYPE_NULL : m->ranks > 2);
}

/** Bytes of all ranks as counts, and where each begins. */
static void set_counts(tsr_dist_mpi const *m, int64_t const *bytes, int64_t unit, int *count, int *begin)
{
    int at = 0;
    for (int r = 0; r < m->ranks; ++r) {
        count[r] = (int)(bytes[r] / unit);
        begin[r] = at;
        at += count[r];
    }
}

static bool mpi_together(void *self, tsr_dist_together const *what)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)self;
    int const n = m->ranks, me = m->rank;
    int *const sent = m->counts, *const from = sent + n, *const received = from + n, *const to = received + n;
    MPI_Request *const r = &m->request[0];
    bool const sums = what->kind == TSR_DIST_REDUCE_SCATTER || what->kind == TSR_DIST_ALLREDUCE;
    int64_t const unit = sums ? tsr_dtype_bits(what->type) / 8 : 1;
    int code = MPI_SUCCESS;
    set_counts(m, what->sent, unit, sent, from);
    set_counts(m, what->received, unit, received, to);
    if (what->kind == TSR_DIST_ALLTOALL)
        code = MPI_Ialltoallv(what->send, sent, from, MPI_BYTE, what->receive, received, to, MPI_BYTE, m->world, r);
    else if (what->kind == TSR_DIST_ALLGATHER)
        code = MPI_Iallgatherv(what->send, sent[me], MPI_BYTE, what->receive, received, to, MPI_BYTE, m->world, r);
    else if (what->kind == TSR_DIST_REDUCE_SCATTER)
        code = MPI_Ireduce_scatter(what->send, what->receive, sent, integers(what->type), MPI_SUM, m->world, r);
    else
        code = MPI_Iallreduce(what->send, what->receive, sent[me], integers(what->type), MPI_SUM, m->world, r);
    return started(m, 0, TOGETHER, code);
}

/** Which ranks are on this host, and whether every host has as many ranks in a row. */
static int find_host(tsr_dist_mpi *m)
{
    MPI_Group world = MPI_GROUP_NULL, host = MPI_GROUP_NULL;
    int *const all = (int *)malloc((size_t)m->ranks * sizeof *all);
    int code = all ? MPI_SUCCESS : MPI_ERR_NO_MEM, first = 0, in_row = 1, every = 0;
    for (int i = 0; all && i < m->ranks; ++i)
        all[i] = i;
    code = code ? code : MPI_Comm_split_type(m->world, MPI_COMM_TYPE_SHARED, m->rank, MPI_INFO_NULL, &m->host);
    code = code ? code : MPI_Comm_size(m->host, &m->hosted);
    code = code ? code : MPI_Comm_group(m->world, &world);
    code = code ? code : MPI_Comm_group(m->host, &host);
    code = code ? code : MPI_Group_translate_ranks(world, m->ranks, all, host, m->local);
    if (code == MPI_SUCCESS) {
        first = m->rank / m->hosted * m->hosted;
        for (int i = first; i < first + m->hosted; ++i)
            in_row = in_row && i < m->ranks && m->local[i] == i - first;
        int const mine[] = {in_row ? m->hosted : 0, in_row ? -m->hosted : 0};
        int least[] = {0, 0};
        code = MPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, m->world);
        every = least[0] == -least[1] ? least[0] : 0;
    }
    m->host_ranks = every > 0 ? every : 1;
    if (world != MPI_GROUP_NULL)
        MPI_Group_free(&world);
    if (host != MPI_GROUP_NULL)
        MPI_Group_free(&host);
    free(all);
    return code;
}

tsr_dist_mpi *tsr_dist_mpi_open(int communicator, tsr_message *error)
{
    tsr_dist_mpi *const m = (tsr_dist_mpi *)calloc(1, sizeof *m);
    int code = m ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (m) {
        m->world = m->host = MPI_COMM_NULL;
        m->window = MPI_WIN_NULL;
        code = MPI_Comm_dup(MPI_Comm_f2c(communicator), &m->world);
        code = code ? code : MPI_Comm_rank(m->world, &m->rank);
        code = code ? code : MPI_Comm_size(m->world, &m->ranks);
        m->local = code ? NULL : (int *)malloc((size_t)m->ranks * sizeof *m->local);
        m->seen = code ? NULL : (void const **)calloc((size_t)m->ranks, sizeof *m->seen);
        m->counts = code ? NULL : (int *)calloc((size_t)m->ranks, 4 * sizeof *m->counts);
        code = code ? code : !m->local || !m->seen || !m->counts ? MPI_ERR_NO_MEM : find_host(m);
    }
    if (code == MPI_SUCCESS)
        return m;
    (void)failed(error, code, "open a transport");
    tsr_dist_mpi_close(m);
    return NULL;
}

void tsr_dist_mpi_close(tsr_dist_mpi *mpi)
{
    if (!mpi)
        return;
    if (mpi->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(mpi->window);
        MPI_Win_free(&mpi->window);
    }
    if (mpi->host != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->host);
    if (mpi->world != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->world);
    free(mpi->kept);
    free(mpi->local);
    free(mpi->seen);
    free(mpi->counts);
    free(mpi);
}

tsr_dist_transport tsr_dist_mpi_transport(tsr_dist_mpi *mpi)
{
    tsr_dist_transport const t = {.self = mpi,
                                  .rank = mpi->rank,
                                  .ranks = mpi->ranks,
                                  .send = mpi_send,
                                  .receive = mpi_receive,
                                  .done = mpi_done,
                                  .barrier = mpi_barrier,
                                  .window = mpi_window,
                                  .why = mpi_why,
                                  .cancel = mpi_cancel,
                                  .keep = mpi_keep,
                                  .start = mpi_start,
                                  .drop = mpi_drop,
                                  .joins = mpi_joins,
                                  .together = mpi_together};
    return t;
}

void *tsr_dist_mpi_memory(tsr_dist_mpi *mpi, int64_t bytes, tsr_message *error)
{
    void *own = NULL;
    int code = mpi->window == MPI_WIN_NULL && bytes >= 0 ? MPI_SUCCESS : MPI_ERR_ARG;
    code = code ? code
                : MPI_Win_allocate_shared((MPI_Aint)(bytes > 0 ? bytes : 1), 1, MPI_INFO_NULL, mpi->host, &own,
                                          &mpi->window);
    code = code ? code : MPI_Win_lock_all(MPI_MODE_NOCHECK, mpi->window);
    for (int r = 0; code == MPI_SUCCESS && r < mpi->ranks; ++r) {
        MPI_Aint size = 0;
        int unit = 0;
        void *seen = NULL;
        if (mpi->local[r] == MPI_UNDEFINED)
            continue;
        code = MPI_Win_shared_query(mpi->window, mpi->local[r], &size, &unit, &seen);
        mpi->seen[r] = seen;
    }
    if (code != MPI_SUCCESS)
        (void)failed(error, code, "share memory between the ranks of a host, once, of a size from 0 on");
    return code == MPI_SUCCESS ? own : NULL;
}

void tsr_dist_mpi_timeout(tsr_dist_mpi *mpi, double seconds) { mpi->timeout = seconds > 0 ? seconds : 0; }

int64_t tsr_dist_mpi_host(tsr_dist_mpi const *mpi) { return mpi->host_ranks; }
