/* calls.c - what CUPTI calls back, in the thread that makes a call: at its begin and end, and for what is made in it.
 * A call of the runtime makes calls of the driver: the outer one is noted, with the numbers of both. */
#include <string.h>

#include <cuda_runtime_api.h>

#include "recorder_cuda/inside.h"

static _Thread_local struct {
    bool is_first, is_asking, is_captured;
    int n_own, depth;
    struct recorder_kind kind;
    struct record_call call;
} thread;

void recorder_be_first(void)
{
    thread.is_first = true;
}

void recorder_own(bool begins)
{
    thread.n_own += begins ? 1 : -1;
}

static uint32_t how_here(void)
{
    return (thread.n_own > 0 ? RECORD_HARNESS : 0u) | (thread.is_first ? 0u : RECORD_OTHER_THREAD);
}

/* A function's arguments lie in a struct in their order, each in its own word where they are pointers or sizes. */
static uint64_t argument(const CUpti_CallbackData *d, int i)
{
    return d->functionParams ? ((const uint64_t *)d->functionParams)[i] : 0;
}

static uint32_t how_of_attribute(unsigned id, bool is_on)
{
    if (!is_on)
        return 0;
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        return RECORD_COOPERATIVE;
    return id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION || id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT
               ? RECORD_PROGRAMMATIC
               : 0;
}

static uint32_t how_of_attributes(CUpti_CallbackDomain domain, const CUpti_CallbackData *d)
{
    uint32_t how = 0;

    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        const cudaLaunchKernelExC_v11060_params *p = d->functionParams;

        for (unsigned i = 0; p->config && i < p->config->numAttrs; i++) {
            const cudaLaunchAttribute *a = &p->config->attrs[i];

            how |= how_of_attribute((unsigned)a->id, a->id == cudaLaunchAttributeProgrammaticEvent || a->val.cooperative);
        }
    } else {
        const cuLaunchKernelEx_params *p = d->functionParams;

        for (unsigned i = 0; p->config && i < p->config->numAttrs; i++) {
            const CUlaunchAttribute *a = &p->config->attrs[i];

            how |= how_of_attribute((unsigned)a->id, a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT || a->value.cooperative);
        }
    }
    return how;
}

/* The stream's number in records of activities. A name that ends in _ptsz means each thread's own where no stream is named. */
static uint32_t stream_of(const CUpti_CallbackData *d, int i)
{
    const uint8_t is_own = strstr(d->functionName, "_ptsz") != NULL;
    uint32_t id = 0;

    return session.cupti.cuptiGetStreamIdEx(d->context, (CUstream)argument(d, i), is_own, &id) ? 0 : id;
}

static void take_kind(struct recorder_kind kind, CUpti_CallbackDomain domain, const CUpti_CallbackData *d)
{
    struct record_call *c = &thread.call;
    CUgraphExec exec;

    thread.kind = kind;
    c->what = (uint8_t)kind.what;
    c->memory = kind.memory;
    c->how |= kind.how | (kind.is_extended ? how_of_attributes(domain, d) : 0);
    recorder_copy_name(c->name, kind.what == RECORD_KERNEL && d->symbolName ? d->symbolName : d->functionName);
    if (kind.what == RECORD_COPY && kind.is_plain) {
        c->to = argument(d, 0);
        c->from = argument(d, 1);
        c->bytes = argument(d, 2);
    }
    if (kind.what == RECORD_ALLOC && kind.is_plain)
        c->bytes = argument(d, 1);
    if (kind.event)
        c->event = argument(d, kind.event - 1);
    if (kind.stream)
        c->stream = stream_of(d, kind.stream - 1);
    if (kind.what == RECORD_GRAPH || kind.what == RECORD_UPDATE) {
        exec = (CUgraphExec)argument(d, 0);
        session.cupti.cuptiGetGraphExecId(exec, &c->graph);
    }
}

static void begin_call(CUpti_CallbackDomain domain, const CUpti_CallbackData *d)
{
    const struct record_position at = session.area->at;

    thread.is_captured = false;
    thread.call = (struct record_call){
        .correlation = d->correlationId,
        .context = d->contextUid,
        .window = at.window,
        .call = at.call,
        .slot = at.slot,
        .phase = (int8_t)at.phase,
        .how = how_here(),
    };
    take_kind(recorder_kind_of(d->functionName), domain, d);
    thread.call.begin_ns = recorder_now_ns();
}

/* The first inner call that says what this is; and its number, which some records carry instead. */
static void inner_call(CUpti_CallbackDomain domain, const CUpti_CallbackData *d)
{
    const struct recorder_kind kind = recorder_kind_of(d->functionName);

    if (kind.what < 0 && !kind.is_instantiation)
        return;
    if (thread.kind.what < 0 && !thread.kind.is_instantiation) {
        take_kind(kind, domain, d);
        thread.kind.is_plain = thread.kind.is_instantiation = false; /* at the end the arguments are the outer call's */
    }
    if (kind.what == thread.kind.what && !thread.call.inner) {
        thread.call.inner = d->correlationId;
        thread.call.how |= kind.how | (kind.is_extended ? how_of_attributes(domain, d) : 0);
    }
}

static void note_graph(const CUpti_CallbackData *d)
{
    CUgraphExec *exec = (CUgraphExec *)argument(d, 0);
    struct record_graph *g = recorder_graph();

    if (!g)
        return;
    memset(g, 0, sizeof *g);
    g->window = thread.call.window;
    g->phase = thread.call.phase;
    g->how = thread.call.how;
    if (exec)
        session.cupti.cuptiGetGraphExecId(*exec, &g->id);
    thread.is_asking = true;
    recorder_describe_graph(g, (CUgraph)argument(d, 1));
    thread.is_asking = false;
}

static void add_up(const struct record_call *c)
{
    struct record_window *w;

    if (!thread.is_first || c->window < 0 || c->window >= RECORD_MOST_WINDOWS)
        return;
    w = &session.area->window[c->window];
    if (c->how & RECORD_HARNESS) {
        w->own_ns += c->end_ns - c->begin_ns;
        return;
    }
    w->api_ns += c->end_ns - c->begin_ns;
    w->n_api++;
}

static void end_call(const CUpti_CallbackData *d)
{
    struct record_call *c = &thread.call, *to;
    const int error = d->functionReturnValue ? *(const int *)d->functionReturnValue : 0;

    c->end_ns = recorder_now_ns();
    c->how |= (error ? RECORD_FAILED : 0) | (thread.is_captured ? RECORD_CAPTURED : 0);
    add_up(c);
    if (thread.kind.is_instantiation && !error)
        note_graph(d);
    if (thread.kind.what < 0 || (thread.kind.what == RECORD_SEEN && error)) /* who polls asks thousands of times */
        return;
    if (thread.kind.what == RECORD_ALLOC && thread.kind.is_plain && !error && argument(d, 0))
        c->to = *(const uint64_t *)argument(d, 0);
    to = recorder_call();
    if (to)
        *to = *c;
}

static void on_api(CUpti_CallbackDomain domain, const CUpti_CallbackData *d)
{
    if (thread.is_asking)
        return;
    if (d->callbackSite == CUPTI_API_ENTER) {
        if (thread.depth++)
            inner_call(domain, d);
        else
            begin_call(domain, d);
    } else if (thread.depth > 0 && --thread.depth == 0) {
        end_call(d);
    }
}

static void note_context(CUcontext context)
{
    struct record_context *to = recorder_context();

    if (!to)
        return;
    to->window = session.area->at.window;
    to->phase = session.area->at.phase;
    to->how = how_here();
    session.cupti.cuptiGetContextId(context, &to->id);
    session.cupti.cuptiGetDeviceId(context, &to->device);
}

/* What is plain is kept of the variant's own modules alone, and while there is room for what is not. */
static void note_code(void *is_harness, const char *kernel, const struct cuda_code *code)
{
    const bool is_plain = !*code->math && !code->is_sparse && !code->launches;
    const bool is_left_out = is_plain && (*(const bool *)is_harness || session.area->n_codes >= RECORD_PLAIN_CODES);
    struct record_code *to = is_left_out ? NULL : recorder_code();

    if (!to)
        return;
    to->name = cuda_code_name(kernel);
    to->hash = code->hash;
    memcpy(to->math, code->math, sizeof to->math);
    to->is_sparse = code->is_sparse;
    to->launches = code->launches;
}

/* Where a launch has its code loaded, nobody called for it by name. */
static void note_module(const CUpti_ModuleResourceData *module)
{
    bool is_harness = how_here() & RECORD_HARNESS;
    const bool is_read = module && cuda_cubin_read(module->pCubin, module->cubinSize, note_code, &is_harness) &&
                         session.area->n_codes <= RECORD_MOST_CODES;
    const struct record_position at = session.area->at;
    struct record_call *to;

    if (thread.depth > 0 && thread.kind.what == RECORD_COMPILE) {
        thread.call.how |= is_read ? 0 : RECORD_UNREAD;
        return;
    }
    to = recorder_call();
    if (!to)
        return;
    *to = (struct record_call){
        .window = at.window,
        .call = at.call,
        .slot = at.slot,
        .phase = (int8_t)at.phase,
        .how = how_here() | (is_read ? 0 : RECORD_UNREAD),
        .what = RECORD_COMPILE,
        .end_ns = recorder_now_ns(),
    };
    to->begin_ns = thread.depth > 0 ? thread.call.begin_ns : to->end_ns;
    recorder_copy_name(to->name, thread.depth > 0 ? thread.call.name : "module");
}

static void on_resource(CUpti_CallbackId id, const CUpti_ResourceData *d)
{
    if (thread.is_asking)
        return;
    if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
        note_context(d->context);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
        note_module(d->resourceDescriptor);
    if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)
        thread.is_captured = true;
}

void CUPTIAPI recorder_on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)user;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        on_resource(id, data);
    else
        on_api(domain, data);
}
