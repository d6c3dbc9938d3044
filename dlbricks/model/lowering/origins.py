"""Which layers of a network an executed node is of: the runtime fuses, renames, and adds changes of layout. Pure.

A node keeps a tensor that a layer makes as its own output or in its name, or the name of the layer before a slash; that
layer is where the result of the node is. Layers before it that no other node gives the result of were fused into it.
"""

from collections.abc import Collection, Iterable, Mapping

from dlbricks.model.types import Model

_BLOCKED_SUFFIX = "_nchwc"


def results(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Say of each executed layer whose results it gives.

    Where the network itself was executed they are the same. What the runtime added gives the result of no layer.

    Args:
        executed: the graph that the runtime executed, as ``model.lowering`` gives it, or ``source`` itself.
        source: the network as given.

    Returns:
        Names of layers of ``source`` by name of each layer of ``executed``.
    """
    if source.target == executed.target:
        return {layer.name: (layer.name,) for layer in executed.layers}
    makers = _makers(source)
    names = {layer.name for layer in source.layers}
    made = {}
    for layer in executed.layers:
        found = [makers[tensor] for tensor in layer.outputs if tensor in makers]
        made[layer.name] = tuple(dict.fromkeys(found)) or _by_name(layer.name, makers, names)
    return made


def _makers(source: Model) -> dict[str, str]:
    return {tensor: layer.name for layer in source.layers for tensor in layer.outputs if tensor}


def _by_name(name: str, makers: Mapping[str, str], names: Collection[str]) -> tuple[str, ...]:
    blocked, plain = name.removesuffix(_BLOCKED_SUFFIX), name.partition("/")[0]
    if blocked in makers:
        return (makers[blocked],)
    return (plain,) if plain in names else ()


def origins_by_name(names: Iterable[str], source: Model) -> dict[str, tuple[str, ...]]:
    """Say of executed layers of which only the names are known which layer of the network as given each is of.

    Args:
        names: of executed layers.
        source: the network as given.

    Returns:
        Names of layers of ``source``, by those of the executed layers for which one was found.
    """
    makers, own = _makers(source), {layer.name for layer in source.layers}
    found = {name: (name,) if name in own else _by_name(name, makers, own) for name in names}
    return {name: layers for name, layers in found.items() if layers}


def origins(executed: Model, source: Model) -> dict[str, tuple[str, ...]]:
    """Say of each executed layer which layers of the network as given it is of, those fused into it included.

    A layer whose result no executed layer gives belongs to the executed layer that gives what it is used for; to the
    first of them, where there are several. Layers that nobody executed (folded ones) and whose results only such
    layers use belong to none.

    Args:
        executed: see ``results``.
        source: see ``results``.

    Returns:
        Names of layers of ``source``, in its order, by name of each layer of ``executed``.
    """
    given = results(executed, source)
    if source.target == executed.target:
        return given
    places = {layer.name: place for place, layer in enumerate(source.layers)}
    makers = {tensor: place for place, layer in enumerate(source.layers) for tensor in layer.outputs if tensor}
    taken = {places[name] for names in given.values() for name in names}
    made = {}
    for layer in executed.layers:
        own = [places[name] for name in given[layer.name]]
        waiting = list(own)
        while waiting:
            for tensor in source.layers[waiting.pop()].reads:
                place = makers.get(tensor)
                if place is not None and place not in taken:
                    taken.add(place)
                    own.append(place)
                    waiting.append(place)
        made[layer.name] = tuple(source.layers[place].name for place in sorted(own))
    return made
