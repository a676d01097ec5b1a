"""Models of transformers and diffusers, with their default attention: as on the CPU."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
import torch
import torch_npu  # noqa: F401
import transformers as hf
from torch import nn

torch.npu.matmul.allow_hf32 = False
torch.npu.conv.allow_hf32 = False

_SMALL: dict[str, Any] = {
    "vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4,
}  # fmt: skip
#: Grouped heads: two for keys and values.
_DECODER: dict[str, Any] = {
    **_SMALL, "num_key_value_heads": 2, "max_position_embeddings": 64, "bos_token_id": 1,
    "eos_token_id": 2, "pad_token_id": 0,
}  # fmt: skip
_DRAW = torch.Generator().manual_seed(0)
IDS = torch.randint(3, 64, (2, 12), generator=_DRAW)
LABELS = torch.randint(3, 64, (2, 7), generator=_DRAW)
IMAGES = torch.randn(2, 3, 16, 16, generator=_DRAW)
LATENTS = torch.randn(2, 4, 8, 8, generator=_DRAW)
WORDS = torch.randn(2, 5, 32, generator=_DRAW)
MELS = torch.randn(2, 16, 40, generator=_DRAW)


def _decoder(name: str, **more: Any) -> nn.Module:
    config = getattr(hf, f"{name}Config")(**{**_DECODER, **more})
    return getattr(hf, f"{name}ForCausalLM")(config)


def _gpt2() -> nn.Module:
    config = hf.GPT2Config(
        vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0.0,
        embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    return hf.GPT2LMHeadModel(config)


def _bert() -> nn.Module:
    config = hf.BertConfig(**_SMALL, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return hf.BertForMaskedLM(config)


def _t5() -> nn.Module:
    config = hf.T5Config(
        vocab_size=64, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, dropout_rate=0.0,
        decoder_start_token_id=0,
    )  # fmt: skip
    return hf.T5ForConditionalGeneration(config)


def _vit() -> nn.Module:
    sizes = {k: v for k, v in _SMALL.items() if k != "vocab_size"}
    config = hf.ViTConfig(
        **sizes, image_size=16, patch_size=4, num_labels=4, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return hf.ViTForImageClassification(config)


def _whisper() -> nn.Module:
    config = hf.WhisperConfig(
        vocab_size=64, num_mel_bins=16, d_model=32, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=48,
        decoder_ffn_dim=48, max_source_positions=20, max_target_positions=16, pad_token_id=0,
        bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, dropout=0.0,
        attention_dropout=0.0, activation_dropout=0.0,
    )  # fmt: skip
    return hf.WhisperForConditionalGeneration(config)


class _Denoiser(nn.Module):  # type: ignore[misc]  # torch has no types here
    """Stable Diffusion's network, and the mean square of what it leaves."""

    def __init__(self) -> None:
        super().__init__()
        from diffusers import UNet2DConditionModel

        self.network = UNet2DConditionModel(
            sample_size=8, block_out_channels=(16, 32), layers_per_block=1, norm_num_groups=4,
            cross_attention_dim=32, attention_head_dim=8,
            down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
        )  # fmt: skip

    def forward(self, latents: torch.Tensor, words: torch.Tensor) -> Any:
        steps = torch.tensor([3, 700], device=latents.device)
        # Where torch_npu is installed, diffusers calls its functions on the CPU as well.
        on_npu = latents.device.type == "npu"
        asked = "diffusers.models.activations.is_torch_npu_available"
        with mock.patch(asked, return_value=on_npu):
            made = self.network(latents, steps, words).sample
        return {"loss": made.square().mean()}


_TEXT = {"input_ids": IDS, "labels": IDS}
MODELS: dict[str, tuple[Callable[[], nn.Module], dict[str, torch.Tensor]]] = {
    "llama": (lambda: _decoder("Llama"), _TEXT),
    "qwen2": (lambda: _decoder("Qwen2"), _TEXT),
    "qwen3": (lambda: _decoder("Qwen3", head_dim=16), _TEXT),
    "mistral": (lambda: _decoder("Mistral", sliding_window=4), _TEXT),
    "mixtral": (lambda: _decoder("Mixtral", num_local_experts=4), _TEXT),
    "gpt2": (_gpt2, _TEXT),
    "bert": (_bert, _TEXT),
    "t5": (_t5, {"input_ids": IDS, "labels": LABELS}),
    "vit": (_vit, {"pixel_values": IMAGES, "labels": torch.tensor([1, 3])}),
    "whisper": (_whisper, {"input_features": MELS, "labels": LABELS}),
    "unet": (_Denoiser, {"latents": LATENTS, "words": WORDS}),
}
#: Those with the exact GELU, where CANN's is the tanh form: they differ by up to 5e-4 an element.
_ROUGH = {"bert", "vit", "whisper", "unet"}
DECODERS = ("llama", "qwen2", "qwen3", "mistral", "mixtral", "gpt2", "t5")


def _made(name: str) -> tuple[nn.Module, dict[str, torch.Tensor]]:
    torch.manual_seed(0)
    make, data = MODELS[name]
    return make(), data


def _step(
    model: nn.Module, data: dict[str, torch.Tensor], device: str, dtype: torch.dtype
) -> tuple[float, dict[str, torch.Tensor]]:
    """Return loss and gradients of a training step."""
    model = copy.deepcopy(model).to(device=device, dtype=dtype).train()
    given = {k: v.to(device, dtype if v.is_floating_point() else None) for k, v in data.items()}
    loss = model(**given)["loss"]
    loss.backward()
    grads = {k: p.grad.cpu().double() for k, p in model.named_parameters() if p.grad is not None}
    return loss.item(), grads


@pytest.mark.parametrize("name", MODELS)
def test_training_step(name: str) -> None:
    """Loss and gradients are the CPU's in float32."""
    model, data = _made(name)
    loss, gradients = _step(model, data, "npu", torch.float32)
    expected_loss, expected = _step(model, data, "cpu", torch.float32)

    assert loss == pytest.approx(expected_loss, rel=1e-3 if name in _ROUGH else 1e-5)
    assert set(gradients) == set(expected)
    limit = 2e-2 if name in _ROUGH else 1e-4
    largest = max(float(value.abs().max()) for value in expected.values())
    for key, value in expected.items():
        scale = max(float(value.abs().max()), 1e-3 * largest)
        assert float((gradients[key] - value).abs().max()) <= limit * scale, key


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_training_step_of_16_bits(name: str, dtype: torch.dtype) -> None:
    """Loss and gradients are as near to float32's as 16 bits allow."""
    model, data = _made(name)
    loss, gradients = _step(model, data, "npu", dtype)
    expected_loss, expected = _step(model, data, "cpu", torch.float32)

    epsilon = torch.finfo(dtype).eps
    assert loss == pytest.approx(expected_loss, rel=8 * epsilon)
    made = torch.cat([gradients[key].flatten() for key in expected])
    exact = torch.cat([value.flatten() for value in expected.values()])
    assert float((made - exact).norm() / exact.norm()) <= 32 * epsilon


@pytest.mark.parametrize("how", ["greedy", "beam"])
@pytest.mark.parametrize("name", DECODERS)
def test_generation(name: str, how: str) -> None:
    """The tokens, with a cache of keys and values, are the CPU's."""
    model, _ = _made(name)
    model.eval()
    options: dict[str, Any] = {"max_new_tokens": 12, "do_sample": False, "pad_token_id": 0}
    if how == "beam":
        options |= {"num_beams": 3, "num_return_sequences": 2}
    expected = model.generate(IDS, **options)

    made = model.npu().generate(IDS.npu(), **options)

    assert made.tolist() == expected.tolist()


def test_sampled_generation() -> None:
    """Sampled tokens are among the likeliest, and the same with the same seed."""
    model, _ = _made("llama")
    model = model.npu().eval()
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(
            model.generate(IDS.npu(), do_sample=True, top_k=8, max_new_tokens=12, pad_token_id=0)
        )

    assert drawn[0].tolist() == drawn[1].tolist() != drawn[2].tolist()
    scores = model(input_ids=drawn[0]).logits[:, IDS.shape[1] - 1 : -1].cpu()
    likely = scores.topk(10).indices
    assert all(
        token in row
        for line, rows in zip(drawn[0][:, IDS.shape[1] :].tolist(), likely.tolist(), strict=True)
        for token, row in zip(line, rows, strict=True)
        if token != 0
    )


@pytest.mark.parametrize("masked", [False, True])
def test_fast_path_of_the_encoder(masked: bool) -> None:
    """The encoder and attention of torch, in their fused form for inference."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(32, 4, 48, activation="relu", batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    mask = torch.arange(5) >= torch.tensor([[5], [3]]) if masked else None
    with torch.inference_mode():
        expected = encoder(WORDS, src_key_padding_mask=mask)
        npu_mask = None if mask is None else mask.npu()
        made = copy.deepcopy(encoder).npu()(WORDS.npu(), src_key_padding_mask=npu_mask).cpu()
        attention = layer.self_attn.eval()
        alone = copy.deepcopy(attention).npu()(*[WORDS.npu()] * 3, key_padding_mask=npu_mask)
        wanted = attention(WORDS, WORDS, WORDS, key_padding_mask=mask)
    seen = slice(None) if mask is None else ~mask
    torch.testing.assert_close(made[seen], expected[seen], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(alone[0].cpu(), wanted[0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(alone[1].cpu(), wanted[1], rtol=1e-4, atol=1e-5)
