"""A small Llama of random weights: the file that llama.cpp reads, and its logits in float64.

    python model.py FOLDER FORMAT TOKEN...

Writes ``FOLDER/FORMAT.gguf`` and prints a line of logits after each token. Runs in the environment
of clients, which has the package gguf: it is llama.cpp's own writer of files and of blocks. The
formula is that of the paper on Llama (arXiv 2302.13971), with heads of keys that several heads of
queries share; ggml turns neighbouring numbers of a head by one angle.
"""

from __future__ import annotations

import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, HEADS, KEY_HEADS, INNER, WORDS, LAYERS = 256, 4, 2, 512, 128, 2
HEAD = WIDTH // HEADS
EPSILON, BASE = 1e-5, 10000.0
FORMATS = {
    "f32": gguf.GGMLQuantizationType.F32,
    "f16": gguf.GGMLQuantizationType.F16,
    "q8_0": gguf.GGMLQuantizationType.Q8_0,
    "q4_0": gguf.GGMLQuantizationType.Q4_0,
}

Weights = dict[str, np.ndarray]


def write(path: Path, weight_format: str) -> Weights:
    """Write a model, and return its weights as the format keeps them."""
    rng = np.random.default_rng(5)
    kept: Weights = {}
    kind = FORMATS[weight_format]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(256)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_dimension_count(HEAD)
    writer.add_rope_freq_base(BASE)
    writer.add_vocab_size(WORDS)
    writer.add_tokenizer_model("no_vocab")

    def matrix(name: str, rows: int, columns: int) -> None:
        values = (rng.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float32)
        blocks = gguf.quants.quantize(values, kind)
        writer.add_tensor(f"{name}.weight", blocks, raw_dtype=kind)
        kept[name] = gguf.quants.dequantize(blocks, kind).astype(np.float64)

    def vector(name: str) -> None:
        values = (1 + 0.1 * rng.standard_normal(WIDTH)).astype(np.float32)
        writer.add_tensor(f"{name}.weight", values)
        kept[name] = values.astype(np.float64)

    matrix("token_embd", WORDS, WIDTH)
    vector("output_norm")
    matrix("output", WORDS, WIDTH)
    for layer in range(LAYERS):
        name = f"blk.{layer}"
        vector(f"{name}.attn_norm")
        matrix(f"{name}.attn_q", WIDTH, WIDTH)
        matrix(f"{name}.attn_k", KEY_HEADS * HEAD, WIDTH)
        matrix(f"{name}.attn_v", KEY_HEADS * HEAD, WIDTH)
        matrix(f"{name}.attn_output", WIDTH, WIDTH)
        vector(f"{name}.ffn_norm")
        matrix(f"{name}.ffn_gate", INNER, WIDTH)
        matrix(f"{name}.ffn_up", INNER, WIDTH)
        matrix(f"{name}.ffn_down", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return kept


def logits(weights: Weights, tokens: list[int]) -> np.ndarray:
    """Return the logits after each token, in float64: an array of tokens x words."""

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        normed: np.ndarray = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * weights[name]
        return normed

    def turned(x: np.ndarray) -> np.ndarray:
        angles = np.arange(len(x))[:, None] * BASE ** (-np.arange(0, HEAD, 2) / HEAD)
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        even, odd = x[..., ::2], x[..., 1::2]
        return np.stack((even * cos - odd * sin, even * sin + odd * cos), -1).reshape(x.shape)

    x = weights["token_embd"][tokens]
    later = np.triu(np.full((len(tokens), len(tokens)), -np.inf), 1)
    for layer in range(LAYERS):
        name = f"blk.{layer}"
        inner = norm(x, f"{name}.attn_norm")
        q, k, v = (
            (inner @ weights[f"{name}.attn_{each}"].T).reshape(len(tokens), -1, HEAD)
            for each in "qkv"
        )
        q, k = turned(q), turned(k)
        k, v = (np.repeat(each, HEADS // KEY_HEADS, axis=1) for each in (k, v))
        scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(HEAD) + later
        chances = np.exp(scores - scores.max(-1, keepdims=True))
        chances /= chances.sum(-1, keepdims=True)
        mixed = np.einsum("hij,jhd->ihd", chances, v).reshape(len(tokens), WIDTH)
        x = x + mixed @ weights[f"{name}.attn_output"].T
        inner = norm(x, f"{name}.ffn_norm")
        gate = inner @ weights[f"{name}.ffn_gate"].T
        up = inner @ weights[f"{name}.ffn_up"].T
        x = x + (gate / (1 + np.exp(-gate)) * up) @ weights[f"{name}.ffn_down"].T
    said: np.ndarray = norm(x, "output_norm") @ weights["output"].T
    return said


if __name__ == "__main__":
    folder, chosen, *given = sys.argv[1:]
    made = write(Path(folder) / f"{chosen}.gguf", chosen)
    for row in logits(made, [int(token) for token in given]):
        print(*(f"{value:.9g}" for value in row))
