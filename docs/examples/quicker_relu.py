"""A transform of one's own: activations that work in place move half the bytes.

dlbricks whatif trace.json.gz --transform quicker_relu.py --apply quicker-relu
"""

from dlbricks.whatif.edit import scaled
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import Parameter, Transform

ACTIVATIONS = "relu|threshold|clamp"

TRANSFORMS = (
    Transform(
        name="quicker-relu",
        title="Activations work in place.",
        source="bytes moved: one tensor instead of two",
        parameters=(Parameter(name="factor", kind="factor", meaning="of their time that is left", default="0.5"),),
        requires=lambda graph, values: "" if len(select(graph, name=ACTIVATIONS)) else "it has no activations",
        apply=lambda graph, values: scaled(graph, select(graph, name=ACTIVATIONS), float(values["factor"])),
    ),
)
