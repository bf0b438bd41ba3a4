/** What each option does, and calls to begin with, for the help of a command and the manual page. */
#ifndef TSR_CLI_OPTIONS_LIST_H
#define TSR_CLI_OPTIONS_LIST_H

/* clang-format off */
/** X(command, option, words). "" stands for every command that has no row of its own. */
#define OPTION_LIST(X) \
    X("", "-o", "draws into FILE, whose ending names the format") \
    X("", "--as", "draws in this format") \
    X("", "--coord", "cells show coordinates") \
    X("", "--index", "cells show 1-D coordinates") \
    X("", "--offset", "cells show offsets, in elements") \
    X("", "--bank", "cells show banks of shared memory") \
    X("", "--thread", "frames the elements of thread N and fades all others") \
    X("", "--panel", "draws these panels only, by name or number: A,2") \
    X("", "--alone", "draws the result, not the operation that made it") \
    X("", "--cute", "uses the colours of CuTe's print_latex and print_svg") \
    X("", "--width", "limits text to N columns; 0 is no limit") \
    X("", "--colors", "uses N colours: 0, 16, 256 or 16777216") \
    X("", "--static", "reads plain integers as static, and prints static ones without _") \
    X("eval", "--given", "takes names as sizes, and the guards that they satisfy: \"M % 128 == 0, K % 32 == 0\", or \"\"") \
    X("emit", "--given", "the same: the code has the sizes as arguments, and the guards as a function") \
    X("show", "--type", "the element type: for banks, and of raw bytes in an .npy file") \
    X("relayout", "--slice", "takes a part, as NumPy slices do: 0:4,:,3") \
    X("relayout", "--reshape", "gives other extents to the elements in C order: 6,4. One may be -1, what is left") \
    X("relayout", "--permute", "reorders the axes, as NumPy's transpose does: 1,0") \
    X("relayout", "--tile", "cuts into tiles of these extents, one an axis: 8,8. Edges are filled with 0") \
    X("relayout", "--layout", "stores the element of coordinate c at LAYOUT(c)") \
    X("relayout", "--cast", "converts the elements") \
    X("relayout", "--type", "the type of raw bytes in an .npy file") \
    X("relayout", "--tensor", "works on the tensor of this name, or on those of patterns with commas between: blk.*.weight. " \
      "Of an array of structures it names the field") \
    X("relayout", "--only", "leaves out the tensors that --tensor does not name, instead of copying them") \
    X("relayout", "--memory", "limits the memory for files that are larger: 512M, 2G. The default is an eighth of the machine's") \
    X("relayout", "--plan", "says by which loops the elements move") \
    X("relayout", "--verify", "reads the output again and compares every element") \
    X("relayout", "--progress", "prints percent, rate and time left to standard error") \
    X("relayout", "--dist", "writes the part of each rank: out.npy becomes out.0.npy, out.1.npy, .. Under mpirun each rank writes its own") \
    X("relayout", "--from", "reads the parts of ranks, in.0.npy, in.1.npy, .., into one array, or with --dist into other parts") \
    X("relayout", "--rank", "writes the part of rank N only") \
    X("reshard", "--from", "the spec of the source") \
    X("reshard", "--to", "the spec of the target") \
    X("reshard", "--cast", "converts tensors of floating-point numbers: bf16, or *.weight=bf16,lm_head.*=f32") \
    X("reshard", "--memory", "limits the memory of buffers and mapped files. The default is 512M") \
    X("reshard", "--shard-size", "the most bytes of a file, where names of files have {part}. The default is 5G") \
    X("reshard", "--replicas", "which copies of one tensor are compared: small (at most 1 MB), all, none") \
    X("reshard", "--dry-run", "plans, lists what is wrong, and writes nothing") \
    X("reshard", "--verify", "reads the target again and compares every element with its source, by its index") \
    X("reshard", "--progress", "prints percent, rate and time left to standard error") \
    X("reshard", "--print-preset", "prints a spec to be edited: hf, npy, tp, vllm, megatron-tp, fsdp, moe-ep") \
    X("swizzle", "--type", "the element type. The default is f16") \
    X("swizzle", "--access", "the accesses that must have no conflicts; row128: 16 bytes a thread along the rows, as cp.async") \
    X("swizzle", "--banks", "whose shared memory it is. The default is nvidia") \
    X("swizzle", "--padding", "finds a padding as well: the fewest rounds, then the least memory") \
    X("fit", "--to", "prints a command: convert, to the words of a system; or relayout, of memory in the layout that was " \
      "found into another layout") \
    X("convert", "--to", "writes it in the words of this system") \
    X("convert", "--shape", "the extents of the tensor, slowest first, where the text has none") \
    X("convert", "--type", "the element type, for strides in bytes. The default is f32") \
    X("emit", "--type", "the element type of a copy. The default is f32") \
    X("emit", "--shape", "the extents of the tensor, slowest first, where the text has none") \
    X("dist", "--plan", "plans the messages from one distribution to another") \
    X("dist", "--verify", "follows every element of the plan: each place gets its own, once") \
    X("dist", "--rank", "prints the messages of rank N only") \
    X("dist", "--host", "takes N ranks in a row for one host, whose copies are read first. The default is 1") \
    X("dist", "--type", "the element type. The default is f32") \
    X("dist", "--latency", "the model's microseconds a message. The default is 2") \
    X("dist", "--bandwidth", "the model's 10^9 bytes a second. The default is 10")

/** X(command, what it does, call). */
#define EXAMPLE_LIST(X) \
    X("eval", "evaluates an operation", "tessera eval 'logical_divide((8,6):(1,8), (4,3))'") \
    X("eval", "evaluates one expression a line", "tessera eval - <FILE") \
    X("infer", "finds the fragments of the program in a file", "tessera infer attention.tile") \
    X("eval", "divides a matrix whose sizes are names", \
      "tessera eval --given 'M % 128 == 0' 'zipped_divide((M,K):(K,1), (128,32))'") \
    X("explain", "says why a composition has its result", "tessera explain 'composition((6,2):(8,2), (4,3):(3,1))'") \
    X("show", "draws a layout as a table", "tessera show '(4,8):(8,1)'") \
    X("show", "draws banks of shared memory into a file", "tessera show --bank 'Sw<3,2,3> o _0 o (8,32):(32,1)' -o banks.svg") \
    X("show", "draws the part of one thread", "tessera show --thread 3 SM80_16x8x16_F32F16F16F32_TN") \
    X("show", "says what is in a file", "tessera show model.safetensors") \
    X("diff", "compares two layouts", "tessera diff '(4,8):(8,1)' '(4,8):(1,4)'") \
    X("relayout", "transposes a matrix", "tessera relayout in.npy out.npy --permute 1,0") \
    X("relayout", "cuts a matrix into tiles of 8 by 8 half numbers, and checks the file", \
      "tessera relayout in.npy out.npy --tile 8,8 --cast f16 --verify") \
    X("relayout", "takes the first four rows", "tessera relayout in.npy out.npy --slice 0:4") \
    X("relayout", "stores a matrix behind a swizzle", \
      "tessera relayout in.npy out.npy --layout 'Sw<3,0,3> o 0 o (8,8):(8,1)'") \
    X("relayout", "converts some tensors of a model and copies the others", \
      "tessera relayout in.safetensors out.safetensors --tensor 'blk.*.weight' --cast bf16") \
    X("relayout", "takes one tensor out of a model", "tessera relayout model.gguf out.npy --tensor output_norm.weight") \
    X("relayout", "writes the rows of each of two ranks", \
      "tessera relayout in.npy out.npy --dist 'dtensor((20,30),(2),[S(0)])'") \
    X("reshard", "says what would be done, and writes nothing", \
      "tessera reshard model ranks --to 'tp tp:4' --dry-run") \
    X("reshard", "cuts a whole model for four ranks, as their own spec says", \
      "tessera reshard model ranks --to spec.txt --verify") \
    X("reshard", "prints a spec to be edited", "tessera reshard --print-preset tp") \
    X("tma", "checks a tensor map", "tessera tma 'tma_tiled<half_t,3>((64,8), (128), (64,8), (1,1))'") \
    X("swizzle", "finds the swizzle of a tile", "tessera swizzle '(8,64)'") \
    X("swizzle", "of a tile that is read by columns, too", "tessera swizzle --type f32 --access row128,column '(32,32)'") \
    X("swizzle", "of a tile in the LDS of an MI300", "tessera swizzle --banks gfx942 --access row128,mfma16 --padding '(64,64)'") \
    X("fit", "finds the layout of offsets", "echo 0 1 3 2 | tessera fit -") \
    X("fit", "of a formula of C", "tessera fit 'i*8 + (j^i%8)' i=0..7 j=0..7") \
    X("fit", "of some samples", "printf '(0,0) -> 0\\n(3,1) -> 13\\n(1,0) -> 4\\n' | tessera fit -") \
    X("dist", "says which rank holds what", "tessera dist 'dtensor((9,8),(4),[S(0)])'") \
    X("dist", "plans a redistribution", \
      "tessera dist --plan 'dtensor((8,8),(2,2),[S(0),S(1)])' 'dtensor((8,8),(2,2),[S(1),S(0)])'") \
    X("run", "evaluates the lines of a script", "tessera run examples/layouts.tsr") \
    X("ops", "says what an operation does", "tessera ops complement") \
    X("ops", "finds operations by a part of their name or description", "tessera ops inv") \
    X("gallery", "draws every operation", "tessera gallery pictures") \
    X("completion", "switches completion on in bash", "source <(tessera completion bash)")
/* clang-format on */

#endif
