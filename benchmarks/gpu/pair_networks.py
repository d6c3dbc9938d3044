"""Networks of PyTorch that are trained and called before and after a change: their types, layout and layers.

Networks are torchvision's and transformers', of their published shapes or smaller, with random weights and inputs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

MULTIPLE = 16
"""Multiple that extents of products in 8-bit floating point must be of."""


class Run(NamedTuple):
    """A network that is trained or called, and how."""

    network: str
    work: str
    """train or infer."""
    batch: int
    how: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Return the name of the trace."""
        return "_".join((self.network, self.work, f"b{self.batch}", *(sorted(self.how) or ("eager",))))


class Network(NamedTuple):
    """A module, its inputs (all made from a batch) and how its loss is computed."""

    module: nn.Module
    inputs: tuple[Any, ...]
    loss: Callable[[Any], Any]


TORCHVISION = {
    "vit": "vit_b_16", "densenet121": "densenet121", "convnext": "convnext_tiny", "regnet": "regnet_y_1_6gf",
    "efficientnet": "efficientnet_b0", "vgg16": "vgg16_bn", "deeplabv3": "deeplabv3_resnet50",
    "squeezenet": "squeezenet1_1", "shufflenet": "shufflenet_v2_x1_0", "mobilenet": "mobilenet_v2",
    "resnext": "resnext50_32x4d", "swin": "swin_t",
}  # fmt: skip
TOKENS = {"llama": 512, "llama_wide": 1024, "distilbert": 128, "t5": 128, "gpt2": 512, "bert": 128, "neox": 512}


class EightBits(nn.Module):  # type: ignore[misc]
    """A linear layer whose operands are 8-bit floating point, scaled by one number each."""

    def __init__(self, layer: nn.Linear) -> None:
        """Convert the weights of a layer."""
        super().__init__()
        self.weight = layer.weight.detach().to(torch.float8_e4m3fn)
        self.bias = layer.bias
        self.one = torch.ones((), device=layer.weight.device)

    def forward(self, x: Any) -> Any:
        """Multiply."""
        rows = x.reshape(-1, x.shape[-1]).to(torch.float8_e4m3fn)
        made = torch._scaled_mm(  # noqa: SLF001  (torch has no public name for it)
            rows, self.weight.t(), scale_a=self.one, scale_b=self.one, bias=self.bias, out_dtype=torch.bfloat16
        )
        return made.reshape(*x.shape[:-1], -1)


class Again(nn.Module):  # type: ignore[misc]
    """A layer whose activations are computed again in the backward pass."""

    def __init__(self, layer: nn.Module) -> None:
        """Wrap a layer."""
        super().__init__()
        self.layer = layer

    def forward(self, *given: Any, **more: Any) -> Any:
        """Compute."""
        return checkpoint(self.layer, *given, use_reentrant=False, **more)


def built(run: Run, device: str) -> Network:
    """Make the network of a run, on the device, in its types and layout."""
    attention = "eager" if "plain_attention" in run.how else "sdpa"
    with torch.device(device):
        made = _of_torchvision(run) if run.network in TORCHVISION else _of_transformers(run, attention)
    made.module.train(run.work == "train")
    kind = torch.float16 if "fp16" in run.how else torch.bfloat16 if "bf16" in run.how else None
    if kind is not None:
        made.module.to(kind)
        made = made._replace(inputs=tuple(one.to(kind) if one.is_floating_point() else one for one in made.inputs))
    if "fp8" in run.how:
        _replace(
            made.module,
            nn.Linear,
            EightBits,
            lambda one: not (one.in_features % MULTIPLE or one.out_features % MULTIPLE),
        )
    if "channels_last" in run.how:
        made.module.to(memory_format=torch.channels_last)
        made = made._replace(inputs=tuple(one.to(memory_format=torch.channels_last) for one in made.inputs))
    return made


def _replace(module: nn.Module, kind: type, by: Callable[[Any], nn.Module], which: Callable[[Any], bool]) -> None:
    for name, child in list(module.named_children()):
        if type(child) is kind and which(child):
            setattr(module, name, by(child))
        else:
            _replace(child, kind, by, which)


def _of_torchvision(run: Run) -> Network:
    import torchvision

    name = TORCHVISION[run.network]
    if name.startswith("deeplab"):
        module = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None)
    else:
        module = torchvision.models.get_model(name, weights=None)
    if "plain_attention" in run.how:
        for layer in module.modules():
            if isinstance(layer, nn.MultiheadAttention):
                layer.forward = _with_weights(layer.forward)
    if "checkpoint" in run.how:
        kinds = {
            "vit": torchvision.models.vision_transformer.EncoderBlock,
            "convnext": torchvision.models.convnext.CNBlock,
            "swin": torchvision.models.swin_transformer.SwinTransformerBlock,
        }
        _replace(module, kinds[run.network], Again, lambda _: True)
    images = torch.randn(run.batch, 3, 224, 224)
    labels = torch.randint(1000, (run.batch,))
    return Network(module, (images,), lambda out: nn.functional.cross_entropy(out, labels))


def _with_weights(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Let attention compute the matrix of weights, which the fused one does not."""

    def call(*given: Any, **more: Any) -> Any:
        return forward(*given, **{**more, "need_weights": True})

    return call


def _of_transformers(run: Run, attention: str) -> Network:
    import transformers as t

    tokens = 64 if run.network == "llama" and run.batch < 4 else TOKENS[run.network]
    llama = {"vocab_size": 32000, "num_key_value_heads": 4, "max_position_embeddings": 2048, "use_cache": False}
    made: Callable[[], nn.Module] = {
        "llama": lambda: t.LlamaForCausalLM(t.LlamaConfig(
            hidden_size=768, intermediate_size=2048, num_hidden_layers=8, num_attention_heads=12,
            attn_implementation=attention, **llama)),
        "llama_wide": lambda: t.LlamaForCausalLM(t.LlamaConfig(
            hidden_size=2048, intermediate_size=5632, num_hidden_layers=4, num_attention_heads=16,
            attn_implementation=attention, **llama)),
        "distilbert": lambda: t.DistilBertForSequenceClassification(
            t.DistilBertConfig(attn_implementation=attention, num_labels=2)),
        "t5": lambda: t.T5ForConditionalGeneration(t.T5Config(
            d_model=512, d_ff=2048, d_kv=64, num_layers=6, num_heads=8, use_cache=False)),
        "bert": lambda: t.BertForSequenceClassification(t.BertConfig(attn_implementation=attention, num_labels=2)),
        "neox": lambda: t.GPTNeoXForCausalLM(t.GPTNeoXConfig(
            vocab_size=32000, hidden_size=1024, intermediate_size=4096, num_hidden_layers=6, num_attention_heads=16,
            attn_implementation=attention, use_cache=False)),
        "gpt2": lambda: t.GPT2LMHeadModel(t.GPT2Config(attn_implementation=attention, use_cache=False)),
    }[run.network]  # fmt: skip
    module = made()
    if "checkpoint" in run.how:
        module.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    numbers = torch.randint(30000, (run.batch, tokens))
    inputs = (numbers, torch.ones_like(numbers), numbers[:, :32]) if run.network == "t5" else (numbers,)
    if run.network in ("distilbert", "bert"):
        labels = torch.randint(2, (run.batch,))
        return Network(module, inputs, lambda out: nn.functional.cross_entropy(out, labels))
    wanted = numbers[:, :32] if run.network == "t5" else numbers
    return Network(module, inputs, lambda out: nn.functional.cross_entropy(out.flatten(0, 1).float(), wanted.flatten()))
