/** Specs of common checkpoints, to be printed and edited. */
#include <stddef.h>
#include <string.h>

#include "tessera/reshard.h"

/** Layers in the names of Megatron-LM, and of Hugging Face. */
#define DECODER "decoder.layers.{layer-local}."
#define LAYER "model.layers.{layer}."

/* clang-format off */
/** X(name, text) */
#define PRESET_LIST(X)                                                                                        \
  X("hf",                                                                                                     \
    "# A whole model, as Hugging Face has it: one file, or shards and an index.\n"                            \
    "files model-{part:05}-of-{parts:05}.safetensors\n"                                                       \
    "index model.safetensors.index.json\n"                                                                    \
    "* R\n")                                                                                                  \
  X("npy",                                                                                                    \
    "# A whole model as arrays of NumPy, NAME.npy of each tensor. Of ranks: files *.{rank}.npy\n"             \
    "files *.npy\n"                                                                                           \
    "* R\n")                                                                                                  \
  X("tp",                                                                                                     \
    "# Tensor parallel, with Hugging Face's names: a file for each rank.\n"                                   \
    "mesh tp:2\n"                                                                                             \
    "files model-{rank}.safetensors\n"                                                                        \
    "*.q_proj.* S(0)\n"                                                                                       \
    "*.k_proj.* S(0)\n"                                                                                       \
    "*.v_proj.* S(0)\n"                                                                                       \
    "*.o_proj.weight S(1)\n"                                                                                  \
    "*.gate_proj.weight S(0)\n"                                                                               \
    "*.up_proj.weight S(0)\n"                                                                                 \
    "*.down_proj.weight S(1)\n"                                                                               \
    "*embed_tokens.weight S(0)\n"                                                                             \
    "lm_head.weight S(0)\n"                                                                                   \
    "* R\n")                                                                                                  \
  X("vllm",                                                                                                   \
    "# vLLM's sharded state: q, k and v are one tensor, and gate and up. As a source, add the rows of each:\n" \
    "# parts(4096,1024,1024) behind S(0) of qkv_proj, and rows N of the vocabulary. With more ranks than heads\n" \
    "# of k and v, add the heads of each, as heads(32,8,8).\n"                                               \
    "mesh tp:2\n"                                                                                             \
    "files model-rank-{rank}-part-{part}.safetensors\n"                                                       \
    "*.qkv_proj.weight as *.q_proj.weight + *.k_proj.weight + *.v_proj.weight S(0)\n"                         \
    "*.qkv_proj.bias as *.q_proj.bias + *.k_proj.bias + *.v_proj.bias S(0)\n"                                 \
    "*.gate_up_proj.weight as *.gate_proj.weight + *.up_proj.weight S(0) parts(2)\n"                          \
    "*.o_proj.weight S(1)\n"                                                                                  \
    "*.down_proj.weight S(1)\n"                                                                               \
    "*embed_tokens.weight S(0) pad x64\n"                                                                     \
    "lm_head.weight S(0) pad x64\n"                                                                           \
    "* R\n")                                                                                                  \
  X("megatron-tp",                                                                                            \
    "# Megatron-LM's names and shards, of a model with grouped queries: groups N is the number of heads of k and v.\n" \
    "# Layers are numbered from 0 on each stage. As a source, add rows N of the vocabulary, without its padding.\n" \
    "mesh tp:2 pp:1\n"                                                                                        \
    "files mp_rank_{tp:02}_{pp:03}/model.safetensors\n"                                                       \
    DECODER "self_attention.linear_qkv.weight as " LAYER "self_attn.q_proj.weight + "                         \
    LAYER "self_attn.k_proj.weight + " LAYER "self_attn.v_proj.weight tp:S(0) pp:{layer} groups 8\n"          \
    DECODER "self_attention.linear_proj.weight as " LAYER "self_attn.o_proj.weight tp:S(1) pp:{layer}\n"      \
    DECODER "mlp.linear_fc1.weight as " LAYER "mlp.gate_proj.weight + "                                       \
    LAYER "mlp.up_proj.weight tp:S(0) pp:{layer} parts(2)\n"                                                  \
    DECODER "mlp.linear_fc2.weight as " LAYER "mlp.down_proj.weight tp:S(1) pp:{layer}\n"                     \
    DECODER "self_attention.linear_qkv.layer_norm_weight as " LAYER "input_layernorm.weight pp:{layer}\n"     \
    DECODER "mlp.linear_fc1.layer_norm_weight as " LAYER "post_attention_layernorm.weight pp:{layer}\n"       \
    "embedding.word_embeddings.weight as model.embed_tokens.weight tp:S(0) pp:0 pad x128\n"                   \
    "decoder.final_layernorm.weight as model.norm.weight pp:last\n"                                           \
    "output_layer.weight as lm_head.weight tp:S(0) pp:last pad x128\n"                                        \
    "*._extra_state skip\n")                                                                                  \
  X("fsdp",                                                                                                   \
    "# Fully sharded data parallel: each rank has rows of every tensor, as torch's chunk cuts them.\n"        \
    "mesh fsdp:8\n"                                                                                           \
    "files rank{rank}.safetensors\n"                                                                          \
    "* S(0)\n")                                                                                               \
  X("moe-ep",                                                                                                 \
    "# Experts by rank, and all other tensors on each rank.\n"                                                \
    "mesh ep:4\n"                                                                                             \
    "files model-{rank}.safetensors\n"                                                                        \
    "*.experts.{expert}.* ep:{expert}\n"                                                                      \
    "* R\n")
/* clang-format on */

static struct {
    char const *name, *text;
} const presets[] = {
#define X(name, text) {name, text},
    PRESET_LIST(X)
#undef X
};

char const *tsr_reshard_preset_name(int i)
{
    return i >= 0 && i < (int)(sizeof presets / sizeof *presets) ? presets[i].name : NULL;
}

char const *tsr_reshard_preset(char const *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; ++i)
        if (strcmp(presets[i].name, name) == 0)
            return presets[i].text;
    return NULL;
}
