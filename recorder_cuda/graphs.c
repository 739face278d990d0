/* graphs.c - what a graph consists of: its nodes by kind, and which of the harness's tensors they name. Asked of the driver at the
 * end of the call that instantiated it, when it holds no lock any more. */
#include <dlfcn.h>
#include <string.h>

#include "recorder_cuda/inside.h"

enum { MOST_NODES = 1024, MOST_DEPTH = 4, MOST_ARGUMENTS = 128 };

#define GRAPH_CALLS(X)                                                                                       \
    X(get_nodes, "cuGraphGetNodes", (CUgraph graph, CUgraphNode * node, size_t *n))                          \
    X(node_type, "cuGraphNodeGetType", (CUgraphNode node, CUgraphNodeType *type))                            \
    X(kernel, "cuGraphKernelNodeGetParams_v2", (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params))          \
    X(copy, "cuGraphMemcpyNodeGetParams", (CUgraphNode node, CUDA_MEMCPY3D *params))                         \
    X(child, "cuGraphChildGraphNodeGetGraph", (CUgraphNode node, CUgraph *graph))                            \
    X(parameter, "cuFuncGetParamInfo", (CUfunction function, size_t i, size_t *offset, size_t *bytes))       \
    X(kernel_parameter, "cuKernelGetParamInfo", (CUkernel kernel, size_t i, size_t *offset, size_t *bytes))

static struct {
#define GRAPH_FIELD(field, name, arguments) CUresult (*field) arguments;
    GRAPH_CALLS(GRAPH_FIELD)
#undef GRAPH_FIELD
} driver;

static bool find_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

    if (!library)
        return false;
#define GRAPH_FIND(field, name, arguments) driver.field = (CUresult(*) arguments)dlsym(library, name);
    GRAPH_CALLS(GRAPH_FIND)
#undef GRAPH_FIND
    return driver.get_nodes && driver.node_type && driver.kernel && driver.copy && driver.child && driver.parameter &&
           driver.kernel_parameter;
}

static void look_at_word(struct record_graph *g, uint64_t word)
{
    for (int i = 0; i < session.n_tensors && g->n_hits < RECORD_MOST_HITS; i++)
        if (word - session.tensor[i].address < session.tensor[i].bytes) {
            g->hit[g->n_hits++] = word;
            return;
        }
}

/* A pointer may stand alone or in a struct: every word of every argument is looked at. */
static void look_at_kernel(struct record_graph *g, CUgraphNode node)
{
    CUDA_KERNEL_NODE_PARAMS p = { 0 };

    if (driver.kernel(node, &p) || !p.kernelParams) {
        g->is_described = false;
        return;
    }
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        size_t offset, bytes = 0;

        if (p.func ? driver.parameter(p.func, i, &offset, &bytes) : driver.kernel_parameter(p.kern, i, &offset, &bytes)) {
            g->is_described = g->is_described && i > 0;
            return;
        }
        for (size_t k = 0; k + 8 <= bytes && p.kernelParams[i]; k += 8) {
            uint64_t word;

            memcpy(&word, (const char *)p.kernelParams[i] + k, sizeof word);
            look_at_word(g, word);
        }
    }
}

static void look_at_copy(struct record_graph *g, CUgraphNode node)
{
    CUDA_MEMCPY3D p = { 0 };

    if (driver.copy(node, &p))
        return;
    look_at_word(g, p.srcMemoryType == CU_MEMORYTYPE_HOST ? (uint64_t)p.srcHost : (uint64_t)p.srcDevice);
}

static void walk(struct record_graph *g, CUgraph graph, int depth);

static void look_at_node(struct record_graph *g, CUgraphNode node, int depth)
{
    CUgraphNodeType type;
    CUgraph child;

    if (driver.node_type(node, &type))
        return;
    g->n_kernels += type == CU_GRAPH_NODE_TYPE_KERNEL;
    g->n_copies += type == CU_GRAPH_NODE_TYPE_MEMCPY;
    g->n_memsets += type == CU_GRAPH_NODE_TYPE_MEMSET;
    g->n_callbacks += type == CU_GRAPH_NODE_TYPE_HOST;
    if (type == CU_GRAPH_NODE_TYPE_KERNEL)
        look_at_kernel(g, node);
    if (type == CU_GRAPH_NODE_TYPE_MEMCPY)
        look_at_copy(g, node);
    if (type == CU_GRAPH_NODE_TYPE_GRAPH && !driver.child(node, &child))
        walk(g, child, depth + 1);
}

static void walk(struct record_graph *g, CUgraph graph, int depth)
{
    CUgraphNode node[MOST_NODES];
    size_t n = MOST_NODES;

    if (depth >= MOST_DEPTH || driver.get_nodes(graph, node, &n))
        return;
    for (size_t i = 0; i < n && i < MOST_NODES; i++)
        look_at_node(g, node[i], depth);
}

void recorder_describe_graph(struct record_graph *to, CUgraph graph)
{
    if (!find_driver())
        return;
    to->is_described = true;
    walk(to, graph, 0);
}
