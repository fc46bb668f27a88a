"""From the text of a spec to a tree of its tokens, each with its place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ocrlstm.errors import SpecError

__all__ = ["NAME", "Node", "Tree", "read_tree", "refusal"]

# Specs come from strangers' files; both are far above any sensible network.
_LONGEST = 10_000  # characters of a spec
_DEEPEST = 20  # brackets and reversals inside each other

#: A name that a spec can write.
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_BRACES = re.compile(rf"\{{({NAME.pattern})\}}", re.ASCII)
_PREFIX = re.compile(r"R(?:[xy]|\d+)", re.ASCII)
_LEXEME = re.compile(
    r"""
      (?P<space> \s+ )
    | (?P<open> [\[(] (?: \{ [^\s\[\](){}]* \} )? )
    | (?P<close> [\])] )
    # the one token that has parentheses of its own
    | (?P<reshape> S (?: \{ [^\s\[\](){}]* \} )? \d+ \( \d+ x \d+ \) [\d,]* )
    # Capital letters begin a new token, except in a {name} or behind an @.
    | (?P<word> [^\s\[\]()]
        (?: \{ [^\s\[\](){}]* \} | @ [A-Za-z0-9_]* | [^\s\[\](){@A-Z] )* )
    """,
    re.VERBOSE | re.ASCII,
)
_CLOSING = {"[": "]", "(": ")"}


@dataclass(frozen=True)
class Node:
    """A token of a spec, or brackets with all that they hold.

    Attributes
    ----------
    token : str
        As it stands in the text; of brackets only the opening one.
    position : int
        Its first character in the text, counted from 1.
    bare : str
        The token without its name; ``[`` a series, ``(`` branches, ``Rx`` and the like for what
        acts on the next token.
    name : str or None
    children : list of Node
        What brackets hold, or what ``Rx`` and the like act on.
    """

    token: str
    position: int
    bare: str
    name: str | None = None
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Tree:
    """A spec, taken apart."""

    text: str
    input: Node
    nodes: list[Node]

    def refuse(self, node: Node, reason: str) -> SpecError:
        """Return the error that tells what is wrong with a token."""
        return refusal(self.text, node.token, node.position, reason)


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def refusal(text: str, token: str, position: int, reason: str) -> SpecError:
    """Return the error that tells what is wrong with a token of a spec."""
    spec, token, reason = _shorten(text, 500), _shorten(token, 60), _shorten(reason, 300)
    return SpecError(f"network spec {spec!r}: {token!r} at character {position}: {reason}")


def read_tree(text: str) -> Tree:
    """Take a spec apart; what the tokens mean is not looked at.

    Parameters
    ----------
    text : str

    Returns
    -------
    Tree

    Raises
    ------
    SpecError
        If it is too long, does not stand in square brackets, or its brackets do not match.
    """
    body = text.strip()
    if len(body) > _LONGEST:
        raise SpecError(f"network spec of {len(body)} characters: at most {_LONGEST} are allowed")
    if not (body.startswith("[") and body.endswith("]")):
        raise SpecError(f"network spec {_shorten(body, 500)!r}: must stand in square brackets")
    # What is open, from the outside to the inside.
    stack = [Node("[", 1, "[")]
    for match in _LEXEME.finditer(body, 1, len(body) - 1):
        token, position = match.group(), match.start() + 1
        if match.lastgroup == "close":
            _close(body, stack, token, position)
        elif match.lastgroup != "space":
            _open(body, stack, _node(token, position))
    if len(stack) > 1:
        raise _refuse_open(body, stack[-1])
    nodes = stack[0].children
    if not nodes:
        raise SpecError(f"network spec {body!r}: is empty; begin with the input, e.g. 1,48,0,1")
    return Tree(body, nodes[0], nodes[1:])


def _node(token: str, position: int) -> Node:
    braces = _BRACES.search(token)
    bare = _BRACES.sub("", token, count=1)
    return Node(token, position, bare, braces.group(1) if braces else None)


def _open(body: str, stack: list[Node], node: Node) -> None:
    if node.token[0] in _CLOSING and node.bare not in _CLOSING:
        raise refusal(body, node.token, node.position, "a name has letters, digits and _ only")
    stack[-1].children.append(node)
    if node.bare in _CLOSING or _PREFIX.fullmatch(node.bare):
        stack.append(node)
        if len(stack) > _DEEPEST:
            raise refusal(body, node.token, node.position, f"nested deeper than {_DEEPEST}")
    else:
        _finish_prefixes(stack)


def _close(body: str, stack: list[Node], token: str, position: int) -> None:
    if len(stack) == 1:
        raise refusal(body, token, position, "closes a bracket that is not open")
    if _CLOSING.get(stack[-1].bare) != token:
        raise _refuse_open(body, stack[-1])
    stack.pop()
    _finish_prefixes(stack)


def _refuse_open(body: str, node: Node) -> SpecError:
    closing = _CLOSING.get(node.bare)
    reason = f"is not closed by {closing!r}" if closing else "nothing follows that it acts on"
    return refusal(body, node.token, node.position, reason)


def _finish_prefixes(stack: list[Node]) -> None:
    """Leave what acts on a single token, now that this token is whole."""
    while _PREFIX.fullmatch(stack[-1].bare):
        stack.pop()
