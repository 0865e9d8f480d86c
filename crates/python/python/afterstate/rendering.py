"""Boards as text and as pictures, with nothing but NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate._native import State

TILE, GAP = 64, 6
"""The size of a tile and of the gap between tiles, in pixels."""

_FONT = {
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 7, 1, 7), "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 1, 2, 2), "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7),
}  # fmt: skip
"""Digits of three by five pixels, a number of three bits for every row."""

_BACKGROUND = (187, 173, 160)
_EMPTY = (205, 193, 180)
_COLOURS = (
    (238, 228, 218), (237, 224, 200), (242, 177, 121), (245, 149, 99), (246, 124, 95), (246, 94, 59),
    (237, 207, 114), (237, 204, 97), (237, 200, 80), (237, 197, 63), (237, 194, 46), (60, 58, 50),
)  # fmt: skip
_DARK, _LIGHT = (119, 110, 101), (249, 246, 242)


def text(state: State, score: int) -> str:
    """The board in a frame, with the score; in Threes with what comes next."""
    return f"score {score}\n{state}\n"


def picture(state: State) -> NDArray[np.uint8]:
    """The board as an image of shape (height, width, 3)."""
    ranks, tiles = state.board, state.tiles
    rows, cols = ranks.shape
    size = TILE + GAP
    image = np.empty((rows * size + GAP, cols * size + GAP, 3), dtype=np.uint8)
    image[:] = _BACKGROUND
    for row in range(rows):
        for col in range(cols):
            rank = int(ranks[row, col])
            top, left = GAP + row * size, GAP + col * size
            tile = image[top : top + TILE, left : left + TILE]
            tile[:] = _COLOURS[min(rank, len(_COLOURS)) - 1] if rank else _EMPTY
            if rank:
                _write(tile, str(tiles[row, col]), _DARK if rank <= 2 else _LIGHT)
    return image


def _write(tile: NDArray[np.uint8], label: str, colour: tuple[int, int, int]) -> None:
    """Writes a number in the middle of a tile, as large as it fits."""
    scale = max(1, min(8, (TILE - 8) // (4 * len(label) - 1)))
    bits: NDArray[Any] = np.zeros((5, 4 * len(label) - 1), dtype=bool)
    for i, digit in enumerate(label):
        for row, pattern in enumerate(_FONT[digit]):
            bits[row, 4 * i : 4 * i + 3] = [pattern >> 2 & 1, pattern >> 1 & 1, pattern & 1]
    large = np.kron(bits, np.ones((scale, scale), dtype=bool))
    top, left = (TILE - large.shape[0]) // 2, (TILE - large.shape[1]) // 2
    tile[top : top + large.shape[0], left : left + large.shape[1]][large] = colour
