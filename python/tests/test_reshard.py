"""Checkpoints: four layouts that models have, each to each and back; reports, problems, progress and what is refused."""

import array
import itertools
import pathlib
import random
import tempfile
import unittest

import tessera as t

LAYERS, HEADS, GROUPS, HEAD, HIDDEN, INNER, ROWS, EXPERTS = 3, 8, 4, 2, 12, 20, 103, 6
SHAPES = {"model.embed_tokens.weight": (ROWS, HIDDEN), "model.norm.weight": (HIDDEN,), "lm_head.weight": (ROWS, HIDDEN)}
for _n in range(LAYERS):
    _layer = f"model.layers.{_n}."
    SHAPES |= {_layer + "self_attn.q_proj.weight": (HEADS * HEAD, HIDDEN),
               _layer + "self_attn.k_proj.weight": (GROUPS * HEAD, HIDDEN),
               _layer + "self_attn.v_proj.weight": (GROUPS * HEAD, HIDDEN),
               _layer + "self_attn.o_proj.weight": (HIDDEN, HEADS * HEAD),
               _layer + "mlp.gate_proj.weight": (INNER, HIDDEN), _layer + "mlp.up_proj.weight": (INNER, HIDDEN),
               _layer + "mlp.down_proj.weight": (HIDDEN, INNER), _layer + "input_layernorm.weight": (HIDDEN,),
               _layer + "post_attention_layernorm.weight": (HIDDEN,)}
    SHAPES |= {f"{_layer}moe.experts.{e}.w1.weight": (5 + e, 7) for e in range(EXPERTS)}

MEGATRON = (t.presets()["megatron-tp"].replace("mesh tp:2 pp:1", "mesh tp:4 pp:2").replace("groups 8", f"groups {GROUPS} parts({HEADS * HEAD},{GROUPS * HEAD},{GROUPS * HEAD})")
            .replace("pad x128", f"rows {ROWS} pad x128") + "*.moe.experts.* R\n")
SPECS = {"hf": "hf", "megatron": MEGATRON, "fsdp": "fsdp fsdp:8",
         "moe": "mesh ep:4\nfiles model-{rank}.safetensors\n*.experts.{expert}.* ep:{expert}(1,3,0,2)\n* R"}


def model():
    """Tensors whose numbers tell where they are."""
    made, next_one = {}, itertools.count(1)
    for name, shape in SHAPES.items():
        size = 1
        for n in shape:
            size *= n
        made[name] = t.reshape(t.tensor(array.array("f", itertools.islice(next_one, size))), shape)
    return made


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file()}


class Reshard(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "first").mkdir()
        t.save_file(self.folder / "first" / "model.safetensors", model())
        t.reshard(self.folder / "first", self.folder / "hf", shard_size=9000)

    def test_each_to_each(self):
        self.assertGreater(len(list((self.folder / "hf").glob("*.safetensors"))), 2)
        for name in ("megatron", "fsdp", "moe"):
            done = t.reshard(self.folder / "hf", self.folder / name, to_spec=SPECS[name], verify=True)
            self.assertEqual(done.problems, [])
        for a, b in itertools.permutations(SPECS, 2):
            with self.subTest(f"{a} to {b}"):
                to = self.folder / f"{a}-{b}"
                done = t.reshard(self.folder / a, to, SPECS[a], SPECS[b], shard_size=9000, verify=True)
                self.assertEqual(done.problems, [])
                self.assertEqual(bytes_of(to), bytes_of(self.folder / b))

    def test_heads(self):
        """q, k and v of grouped queries, in files as Megatron-LM and vLLM have them: of more ranks than groups, too."""
        draw = random.Random(1)
        for case in range(8):
            groups, each, head = draw.choice((1, 2, 3)), draw.choice((1, 2, 4)), draw.choice((2, 4, 6))
            inner = draw.choice([n for n in (1, 2, 3, 4) if (each + 2) * head % n == 0])
            rows = {"q": groups * each * head, "k": groups * head, "v": groups * head}
            parts, columns = ",".join(map(str, rows.values())), draw.choice((1, 3))
            count = itertools.count(1)
            whole = {name: [[next(count) for _ in range(columns)] for _ in range(n)] for name, n in rows.items()}
            turns = [row for g in range(groups) for x in whole.values()
                     for row in x[g * len(x) // groups:(g + 1) * len(x) // groups]]
            ranks = groups * inner
            mine = len(turns) // ranks
            megatron = [turns[r * mine:(r + 1) * mine] for r in range(ranks)]
            copies = [n for n in (1, 2, 3) if groups * each % (groups * n) == 0 or (groups * n) % (groups * each) == 0]
            copy = draw.choice(copies)
            vllm = []
            for r in range(groups * copy):
                q = [whole["q"][i:i + rows["q"] // (groups * copy)] for i in range(0, rows["q"], rows["q"] // (groups * copy))]
                if groups * copy > groups * each:
                    q = [whole["q"][i // (copy // each) * head:][:head] for i in range(groups * copy)]
                vllm.append(q[r] + whole["k"][r // copy * head:][:head] + whole["v"][r // copy * head:][:head])
            specs = {"megatron": f"mesh tp:{ranks}\nfiles r{{rank}}.safetensors\nqkv as q + k + v S(0) groups {groups} parts({parts})\n",
                     "vllm": f"mesh tp:{groups * copy}\nfiles r{{rank}}.safetensors\n"
                             f"qkv as q + k + v S(0) heads({groups * each},{groups},{groups}) parts({parts})\n"}
            with self.subTest(case=case, groups=groups, each=each, head=head, inner=inner, copy=copy):
                folder = self.folder / f"heads{case}"
                (folder / "whole").mkdir(parents=True)
                t.save_file(folder / "whole" / "model.safetensors",
                            {name: t.reshape(t.tensor(array.array("i", itertools.chain(*x))), (len(x), columns)) for name, x in whole.items()})
                for name, wanted in (("megatron", megatron), ("vllm", vllm)):
                    t.reshard(folder / "whole", folder / name, to_spec=specs[name], verify=True)
                    for r, part in enumerate(wanted):
                        self.assertEqual(t.tolist(t.load_file(folder / name / f"r{r}.safetensors")["qkv"]), part)
                    t.reshard(folder / name, folder / "back", specs[name], verify=True)
                    self.assertEqual(bytes_of(folder / "back"), bytes_of(folder / "whole"))
                for a, b in itertools.permutations(specs):
                    t.reshard(folder / a, folder / (a + b), specs[a], specs[b], replicas="all", verify=True)
                    self.assertEqual(bytes_of(folder / (a + b)), bytes_of(folder / b))

    def test_gptq(self):
        """K of int4 in groups of 32: cut between groups, or by g_idx of no order only where all ranks have all scales."""
        k, n, group = 128, 16, 32
        plain = [i // group for i in range(k)]
        mixed = plain[:]
        random.Random(2).shuffle(mixed)

        def numbers(*shape):
            return t.reshape(t.tensor(array.array("i", range(shape[0] * shape[1]))), shape)

        rows = "w.qweight {0}\nw.g_idx {0}\n"
        for order, groups, spec, problem in (
                (plain, 4, rows.format("S(0)") + "* S(0)", None), (plain, 4, "w.g_idx R\n* S(1)", None),
                (mixed, 4, "w.g_idx R\n* S(1)", None), (mixed, 4, rows.format("S(0)") + "* R", None),
                (mixed, 4, rows.format("S(0)") + "* S(0)", "as w.g_idx says .act-order.: cut mode 1, or let all ranks have w.scales"),
                (plain, 4, rows.format("S(0) sizes(3,13)").replace("g_idx S(0) sizes(3,13)", "g_idx S(0) sizes(24,104)") + "* R",
                 "cuts mode 0 at 3, inside of a block of 4, whose scale is in w.scales"),
                (plain, 4, "w.qweight S(0)\nw.g_idx R\n* S(0)", "puts block 8 of mode 0 on another rank than its row in w.qweight"),
                (plain, 1, rows.format("S(0)") + "* R", None),
                (plain, 1, rows.format("S(0)") + "* S(0)", "rank 1 has no scale of it: let all ranks have w.scales")):
            with self.subTest(spec=spec, mixed=order is mixed, groups=groups):
                whole = self.folder / "gptq.safetensors"
                group_of = order if groups == 4 else [0] * k
                t.save_file(whole, {"w.qweight": numbers(k // 8, n), "w.scales": t.astype(numbers(groups, n), "f16"),
                                    "w.qzeros": numbers(groups, n // 8), "w.g_idx": t.tensor(array.array("i", group_of))})
                spec = "mesh tp:2\nfiles m{rank}.safetensors\n" + spec
                plan = t.reshard(whole, self.folder / "cut", to_spec=spec, dry_run=True)
                if problem:
                    self.assertRegex("; ".join(p.text for p in plan.problems), problem)
                    continue
                self.assertEqual(plan.problems, [])
                t.reshard(whole, self.folder / "cut", to_spec=spec)
                self.assertEqual(t.reshard(self.folder / "cut", self.folder / "gptq2.safetensors", spec, verify=True).problems, [])
                self.assertEqual((self.folder / "gptq2.safetensors").read_bytes(), whole.read_bytes())

    def test_report(self):
        told = []
        done = t.reshard(self.folder / "hf", self.folder / "two", to_spec="tp tp:2",
                         progress=lambda n, size: told.append((n, size)))
        self.assertEqual((done.ranks, len(done.files), done.tensors), ((1, 2), 2, len(SHAPES)))
        self.assertEqual([pathlib.Path(f).name for f in done.files], ["model-0.safetensors", "model-1.safetensors"])
        self.assertEqual(told[-1][0], told[-1][1])
        self.assertEqual(sorted(told), told)
        plan = t.reshard(self.folder / "two", self.folder / "none", "tp tp:2", dry_run=True)
        self.assertEqual(plan.bytes_written, sum(array.array("f").itemsize * len(t.tolist(t.reshape(x, (-1,))))
                                                 for x in model().values()))
        self.assertFalse((self.folder / "none").exists())

    def test_casts(self):
        t.reshard(self.folder / "hf", self.folder / "one.safetensors", cast={"*.o_proj.*": "bf16", "lm_head.*": "f16"})
        one = t.load_file(self.folder / "one.safetensors")
        types = {str(one[name].dtype) for name in one if ".o_proj." in name}
        self.assertEqual(types, {str(t.astype(t.ones((2,)), "bf16").dtype)})
        self.assertEqual(t.tolist(one["model.norm.weight"]), t.tolist(model()["model.norm.weight"]))

    def test_problems(self):
        t.reshard(self.folder / "hf", self.folder / "two", to_spec="tp tp:2")
        (self.folder / "two" / "model-1.safetensors").unlink()
        plan = t.reshard(self.folder / "two", self.folder / "out", "tp tp:2", dry_run=True)
        self.assertTrue(plan.problems and all(p.kind == "missing" for p in plan.problems))
        with self.assertRaisesRegex(t.Refused, "missing: .*rank 1"):
            t.reshard(self.folder / "two", self.folder / "out", "tp tp:2")
        self.assertFalse((self.folder / "out").exists())

    def test_refused(self):
        for error, words, arguments in ((ValueError, "no preset|cannot", {"to_spec": "tpp"}),
                                        (ValueError, "replicas is 'some'", {"replicas": "some"}),
                                        (ValueError, "line 1", {"from_spec": "mesh tp:zero\n"}),
                                        ((TypeError, ValueError), "f9", {"cast": "f9"})):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                t.reshard(self.folder / "hf", self.folder / "out", **arguments)
        with self.assertRaises(OSError):
            t.reshard(self.folder / "nowhere", self.folder / "out")

    def test_arrays(self):
        """A file for each tensor and rank: NumPy's parts, and a run that was ended goes on with those that are not there."""
        class Enough(Exception):
            pass

        def stop(done, size):
            if done > size // 2:
                raise Enough

        spec = "mesh a:2\nfiles *.{rank}.npy\n*norm* R once\n* S(0)\n"
        with self.assertRaises(Enough):
            t.reshard(self.folder / "hf", self.folder / "parts", to_spec=spec, progress=stop)
        with self.assertRaisesRegex(OSError, "is not complete"):
            t.reshard(self.folder / "parts", self.folder / "back", spec)
        done = t.reshard(self.folder / "hf", self.folder / "parts", to_spec=spec, verify=True)
        self.assertTrue(0 < done.kept < len(done.files))
        self.assertEqual(t.load_file(self.folder / "parts" / "lm_head.weight.1.npy").shape, (ROWS - 52, HIDDEN))
        self.assertEqual(len(list((self.folder / "parts").glob("model.norm.weight.*.npy"))), 1)
        t.reshard(self.folder / "parts", self.folder / "back", spec, verify=True)
        self.assertEqual(bytes_of(self.folder / "back")[pathlib.Path("model.safetensors")],
                         (self.folder / "first" / "model.safetensors").read_bytes())

    def test_ended(self):
        class Enough(Exception):
            pass

        def stop(done, size):
            raise Enough(f"{done} of {size}")

        with self.assertRaisesRegex(Enough, "of"):
            t.reshard(self.folder / "hf", self.folder / "eight", to_spec="fsdp", progress=stop)
        done = t.reshard(self.folder / "hf", self.folder / "eight", to_spec="fsdp", verify=True)
        self.assertEqual(len(bytes_of(self.folder / "eight")), 8)
        self.assertGreaterEqual(done.kept, 0)


if __name__ == "__main__":
    unittest.main()
