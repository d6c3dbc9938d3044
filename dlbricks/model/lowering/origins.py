"""Maps executed nodes to layers of the source network: the runtime fuses, renames, and inserts layout changes. Pure.

A node has a tensor of a layer as its output or in its name, or the layer's name before a slash; it computes the result
of that layer. Layers before it whose result no other node computes were fused into it.
"""

from collections.abc import Collection, Iterable, Mapping

from dlbricks.model.types import Model

# onnxruntime appends it to the name of a tensor that it keeps in blocked layout
_BLOCKED_SUFFIX = "_nchwc"


def results(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Return by name of each executed layer the layers of ``source`` whose results it computes."""
    if source.target == executed.target:
        return {layer.name: (layer.name,) for layer in executed.layers}
    makers = _makers(source)
    names = {layer.name for layer in source.layers}
    layers_of = {}
    for layer in executed.layers:
        computed = [makers[tensor] for tensor in layer.outputs if tensor in makers]
        layers_of[layer.name] = tuple(dict.fromkeys(computed)) or _by_name(layer.name, makers, names)
    return layers_of


def _makers(source: Model) -> dict[str, str]:
    return {tensor: layer.name for layer in source.layers for tensor in layer.outputs if tensor}


def _by_name(name: str, makers: Mapping[str, str], names: Collection[str]) -> tuple[str, ...]:
    blocked, plain = name.removesuffix(_BLOCKED_SUFFIX), name.partition("/")[0]
    if blocked in makers:
        return (makers[blocked],)
    return (plain,) if plain in names else ()


def origins_by_name(names: Iterable[str], source: Model) -> dict[str, tuple[str, ...]]:
    """Return the layers of ``source`` by names of executed layers, for names that identify one."""
    makers, own = _makers(source), {layer.name for layer in source.layers}
    layers_of = {name: (name,) if name in own else _by_name(name, makers, own) for name in names}
    return {name: layers for name, layers in layers_of.items() if layers}


def origins(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Return by executed layer the layers of ``source`` that it computes, fused ones included, in their order.

    A fused layer belongs to the first executed layer that uses its result; folded layers belong to none.
    """
    computed = results(executed, source)
    if source.target == executed.target:
        return computed
    places = {layer.name: place for place, layer in enumerate(source.layers)}
    makers = {tensor: place for place, layer in enumerate(source.layers) for tensor in layer.outputs if tensor}
    taken = {places[name] for names in computed.values() for name in names}
    layers_of = {}
    for layer in executed.layers:
        own = [places[name] for name in computed[layer.name]]
        waiting = list(own)
        while waiting:
            for tensor in source.layers[waiting.pop()].reads:
                place = makers.get(tensor)
                if place is not None and place not in taken:
                    taken.add(place)
                    own.append(place)
                    waiting.append(place)
        layers_of[layer.name] = tuple(source.layers[place].name for place in sorted(own))
    return layers_of
