"""Boxes, regions of interest and images against loops over their points in float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def bilinear(plane: Array, y: float, x: float) -> float:
    """Return the value of a plane between its elements; 0 further than one from the edge."""
    height, width = plane.shape
    if not (-1 <= y <= height and -1 <= x <= width):
        return 0.0
    y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
    top, left = int(y), int(x)
    below, right = min(top + 1, height - 1), min(left + 1, width - 1)
    v, u = y - top, x - left
    upper = plane[top, left] * (1 - u) + plane[top, right] * u
    return float(upper * (1 - v) + (plane[below, left] * (1 - u) + plane[below, right] * u) * v)


def _aligned(
    image: Array, box: Array, size: tuple[int, int], scale: float, points: int, half: bool
) -> Array:
    """Return the means of the sampling points of each bin, as torchvision defines them."""
    x1, y1, x2, y2 = box * scale - (0.5 if half else 0.0)
    wide, high = x2 - x1, y2 - y1
    if not half:
        wide, high = max(wide, 1.0), max(high, 1.0)
    bin_y, bin_x = high / size[0], wide / size[1]
    ny, nx = points or int(np.ceil(bin_y)), points or int(np.ceil(bin_x))
    out = np.zeros((len(image), *size))
    for c, plane in enumerate(image):
        for i, j in np.ndindex(*size):
            ys = [y1 + bin_y * (i + (a + 0.5) / ny) for a in range(ny)]
            xs = [x1 + bin_x * (j + (b + 0.5) / nx) for b in range(nx)]
            values = [bilinear(plane, y, x) for y in ys for x in xs]
            out[c, i, j] = np.mean(values)
    return out


def _roi_align(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        kind = numpy_dtype(dtype)
        for size, scale, points in (((2, 3), 1.0, 2), ((3, 2), 0.5, 0), ((1, 1), 1.0, 1)):
            for half in (False, True)[: 1 + second]:
                images = rng.uniform(0.5, 2, (2, 3, 7, 9)).astype(kind)
                # Quarters: bins and points are exact in float16, too.
                low = rng.integers(0, 12, (4, 2)) / 4
                corners = (
                    np.concatenate((low, low + rng.integers(5, 16, (4, 2)) / 4), axis=1) / scale
                )
                of = rng.integers(0, 2, 4)
                golden = np.stack([
                    _aligned(images[i].astype(float), box, size, scale, points, half)
                    for i, box in zip(of, corners, strict=True)
                ])  # fmt: skip
                label = f"{size} {scale} {points} {half}"
                if second:
                    boxes = np.column_stack((of, corners)).astype(kind)
                    inputs: tuple[object, ...] = (
                        Operand(images), Operand(boxes), *size, scale, points, half
                    )  # fmt: skip
                else:
                    inputs = (
                        Operand(images), Operand(corners.astype(kind)),
                        Operand(of.astype(np.int32)), "avg", *size, points, scale,
                    )  # fmt: skip
                yield Case(label, inputs, (golden,))

    return cases


def _regions(rng: np.random.Generator) -> Array:
    """Return boxes of two images, one of them inside out and one beyond the edges."""
    low = rng.integers(0, 4, (3, 2))
    boxes = np.column_stack((rng.integers(0, 2, 3), low, low + rng.integers(0, 5, (3, 2))))
    return np.concatenate((boxes, [[0, 5, 5, 2, 2], [1, -3, 4, 20, 30]]))


def _largest(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for high, wide in ((1, 1), (2, 3), (7, 5)):
        images = rng.normal(0, 1, (2, 3, 6, 8)).astype(kind)
        boxes = _regions(rng)
        values, places = np.zeros((5, 3, high, wide)), np.full((5, 3, high, wide), -1)
        for n, (of, *corners) in enumerate(boxes):
            x1, y1, x2, y2 = (np.float32(v) for v in corners)
            w, h = x2 + 1 - x1, y2 + 1 - y1
            for i, j in np.ndindex(high, wide):
                rows, columns = (
                    slice(int(np.clip(np.floor(a), 0, n)), int(np.clip(np.ceil(b), 0, n)))
                    for a, b, n in (
                        (i * (h / np.float32(high)) + y1, (i + 1) * (h / np.float32(high)) + y1, 6),
                        (j * (w / np.float32(wide)) + x1, (j + 1) * (w / np.float32(wide)) + x1, 8),
                    )
                )
                for c in range(3):
                    part = images[of, c, rows, columns]
                    if part.size and w > 0 and h > 0:
                        at = np.unravel_index(int(part.argmax()), part.shape)
                        values[n, c, i, j] = part[at]
                        places[n, c, i, j] = (rows.start + at[0]) * 8 + columns.start + at[1]
        inputs = (Operand(images, format="ND"), Operand(boxes.astype(kind)), high, wide, 1.0, 1.0)
        yield Case(
            f"{high} {wide}", inputs, (values, places.astype(np.int32)),
            out_layouts=("contiguous",) * 2, out_dtypes=(dtype, "int32"), out_format="ND",
        )  # fmt: skip


def _largest_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for high, wide in ((1, 1), (2, 3)):
        grad = rng.uniform(0.5, 1, (5, 3, high, wide)).astype(kind)
        places = rng.integers(-1, 20, grad.shape).astype(np.int32)
        boxes = _regions(rng)
        golden = np.zeros((2, 3, 4, 5))
        for (n, c, i, j), place in np.ndenumerate(places):
            if place >= 0:
                golden[int(boxes[n, 0]), c].flat[place] += float(grad[n, c, i, j])
        before = rng.normal(0, 1, golden.shape).astype(kind)
        inputs = (
            Operand(grad, format="ND"), Operand(before, format="ND"), Operand(boxes.astype(kind)),
            Operand(places, format="ND"), high, wide, 1.0,
        )  # fmt: skip
        yield Case(f"{high} {wide}", inputs, (golden,))


def _ciou(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for centred in (True, False):
        for mode in ("iou", "iof"):
            # One encloses the other's centre, so that no difference is nearly nothing.
            middle, size = rng.uniform(1, 2, (2, 1024)), rng.uniform(2, 3, (2, 1024))
            other, more = middle + rng.uniform(1, 2, (2, 1024)), size * [[3], [1.5]]
            first, second = (
                np.concatenate((m, s) if centred else (m, m + s)).astype(kind)
                for m, s in ((middle, size), (other, more))
            )
            p, g = (
                np.concatenate((b[:2] - b[2:] / 2, b[:2] + b[2:] / 2)) if centred else b
                for b in (first.astype(float), second.astype(float))
            )
            common = np.prod(np.maximum(np.minimum(p[2:], g[2:]) - np.maximum(p[:2], g[:2]), 0), 0)
            areas = [np.prod(b[2:] - b[:2], 0) for b in (p, g)]
            iou = common / (areas[1] if mode == "iof" else sum(areas) - common)
            apart = (((p[:2] + p[2:] - g[:2] - g[2:]) / 2) ** 2).sum(0)
            hull = ((np.maximum(p[2:], g[2:]) - np.minimum(p[:2], g[:2])) ** 2).sum(0)
            angle = np.subtract(*(np.arctan(np.divide(*(b[2:] - b[:2]))) for b in (g, p)))
            v = 4 / np.pi**2 * angle**2
            golden = iou - apart / hull - v**2 / (1 - iou + v)
            keep = np.abs(golden) > 0.05
            golden[~keep] = 0
            if not keep.all():
                first[:, ~keep] = first[:, keep][:, :1]
                second[:, ~keep] = second[:, keep][:, :1]
                golden[~keep], angle[~keep] = golden[keep][0], angle[keep][0]
            inputs = (Operand(first), Operand(second), centred, False, mode)
            yield Case(f"{centred} {mode}", inputs, (golden[None], angle[None]))


def _overlap(a: Array, b: Array) -> float:
    common = np.prod(np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0))
    both = np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2])
    return float(common / (both - common))


def _selection(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for centred in (0, 1):
        for most, count, classes in ((3, 7, 1), (5, 40, 3)):
            middle = rng.integers(8, 24, (2, count, 2)) / 4
            size = rng.integers(4, 12, (2, count, 2)) / 2
            corners = np.concatenate((middle - size / 2, middle + size / 2), axis=-1)
            boxes = np.concatenate((middle, size), axis=-1) if centred else corners
            scores = rng.permuted(
                np.broadcast_to(np.arange(count) / count, (2, classes, count)), axis=-1
            ).astype(kind)
            rows: list[tuple[int, int, int]] = []
            for b, c in np.ndindex(2, classes):
                chosen: list[int] = []
                for i in np.argsort(-scores[b, c].astype(float), kind="stable"):
                    alone = all(_overlap(corners[b, i], corners[b, j]) <= 0.47 for j in chosen)
                    if scores[b, c, i] > 0.2 and alone and len(chosen) < most:
                        chosen.append(int(i))
                rows += [(b, c, i) for i in chosen]
            golden = np.full((2 * classes * most, 3), -1, np.int32)
            golden[: len(rows)] = rows
            given = boxes.astype(kind)
            inputs = (
                Operand(given, format="ND"), Operand(scores, format="ND"), (most,), (0.47,), (0.2,),
                centred,
            )  # fmt: skip
            yield Case(f"{centred} {most}", inputs, (golden,))


def _between_three(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for b, c, n, m in ((1, 1, 1, 1), (2, 3, 5, 6), (2, 17, 40, 9)):
        grad = rng.uniform(0.5, 1, (b, c, n, 1)).astype(kind)
        weight = rng.uniform(0.1, 1, (b, n, 3)).astype(kind)
        places = rng.integers(0, m, (b, n, 3)).astype(np.int32 if n == 5 else np.int64)
        golden = np.zeros((b, c, m, 1))
        for (i, j, k), place in np.ndenumerate(places):
            golden[i, :, place, 0] += grad[i, :, j, 0].astype(float) * float(weight[i, j, k])
        yield Case(f"{n} {m}", (Operand(grad), Operand(places), Operand(weight), m), (golden,))


def _in_half(x: Array) -> Array:
    return x.astype(np.float16).astype(float)


def _laid(back: Array, front: Array, weight: Array) -> Array:
    """Return one image over another; each step is rounded to float16."""
    added, left = _in_half(front * weight), _in_half(back - _in_half(back * weight))
    return _in_half(left + added)


def _replaced(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for channels in (1, 3):
        back, front = (rng.integers(0, 256, (5, 7, channels)).astype(kind) for _ in range(2))
        mask = rng.uniform(0, 1, (5, 7, 1)).astype(np.float16)
        golden = _laid(*(a.astype(float) for a in (back, front, mask)))
        golden = np.rint(golden).astype(kind) if dtype == "uint8" else golden
        yield Case(f"{channels}", tuple(map(Operand, (back, front, mask))), (golden,))


def _blended(alone: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape in ((1, 1), (6, 9)):
            front, back = (rng.integers(0, 256, (*shape, 3)).astype(np.uint8) for _ in range(2))
            alpha = rng.integers(0, 256, (*shape, 1)).astype(np.uint8)
            share = _in_half(alpha.astype(float) * float(np.float16(1 / 255)))
            if alone:
                golden = np.floor(_in_half(front * share))
                inputs: tuple[Operand, ...] = (Operand(front), Operand(alpha))
            else:
                golden = np.rint(_laid(back.astype(float), front.astype(float), share))
                inputs = (Operand(front), Operand(alpha), Operand(back))
            yield Case(f"{shape}", inputs, (golden.astype(np.uint8),))

    return cases


def _shares(face: Array, wide: int, high: int) -> Array:
    """Return what each corner of a triangle has of each pixel's centre."""
    a, b, c = (face[:, :2] / face[:, 3:] * 0.5 + 0.5) * (wide - 1, high - 1) + 0.5
    at = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1) + 0.5
    edges = np.linalg.inv(np.column_stack((b - a, c - a))).T
    second, third = np.moveaxis((at - a) @ edges, -1, 0)
    return np.stack((1 - second - third, second, third), axis=-1)


def _triangles(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for wide, high, count in ((5, 4, 1), (9, 8, 5)):
        drawn: list[Array] = []
        while len(drawn) < count:
            w, z = rng.uniform(0.5, 2, (3, 1)), len(drawn) * 37 % count / count
            xy = rng.uniform(-1.2, 1.2, (3, 2))
            face = np.concatenate((xy * w, z * w, w), axis=-1).astype(np.float32)
            # A centre on an edge is inside or not by rounding; a depth that is shared, too.
            if np.abs(_shares(face.astype(float), wide, high)).min() > 0.01:
                drawn.append(face)
        vertices = np.concatenate(drawn)
        faces = np.arange(3 * count).reshape(count, 3)
        faces = np.concatenate((faces, faces[:1, [0, 0, 1]]))  # the last one has no area
        best, seen = np.full((high, wide), np.inf), np.zeros((high, wide), np.int32)
        golden = np.zeros((high, wide, 3))
        for number, drawn_face in enumerate(drawn):
            v = drawn_face.astype(float)
            shares = _shares(v, wide, high)
            depth = shares @ (v[:, 2] / v[:, 3])
            wins = (shares >= 0).all(-1) & (depth < best)
            best[wins], seen[wins] = depth[wins], number + 1
            corrected = shares / v[:, 3]
            golden[wins] = (corrected / corrected.sum(-1, keepdims=True))[wins]
        inputs = (
            Operand(vertices), Operand(faces.astype(np.int32)), None, wide, high, 0.0, 0
        )  # fmt: skip
        yield Case(f"{wide} {high} {count}", inputs, (seen, golden))


_FLOATS = ("float32", "float16")
_ON_950, _ON_310P = "Ascend910_95", "Ascend310P3"

SUITES = (
    Suite("roi_align", _FLOATS, _roi_align(second=False)),
    Suite("roi_align_v2", _FLOATS, _roi_align(second=True)),
    Suite("roi_pooling_with_arg_max", _FLOATS, _largest, chip=_ON_950),
    Suite("roi_pooling_grad_with_arg_max", _FLOATS, _largest_gradient, chip=_ON_950),
    Suite("c_io_u", _FLOATS, _ciou, chip=_ON_950),
    Suite("non_max_suppression", _FLOATS, _selection, chip=_ON_310P),
    Suite("three_interpolate_backward", _FLOATS, _between_three),
    Suite("rasterizer", ("float32",), _triangles),
    Suite("background_replace", ("float16", "uint8"), _replaced, chip=_ON_310P),
    Suite("blend_images_custom", ("uint8",), _blended(alone=False), chip=_ON_310P),
    Suite("mrgba_custom", ("uint8",), _blended(alone=True), chip=_ON_310P),
)
