"""Operators that communicate, between the devices of one process; run with their number.

Each is compared with NumPy in float64, and to the bit with the operator and the collective made
apart.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from collective.fused import (
    barriers,
    experts,
    first,
    homes,
    missing,
    narrow,
    pairs,
    products,
    quantised,
    reduced,
    rows,
    scaled,
    servers,
)
from collective.fused.ranks import Ranks

ALONE = (
    products.plain_sums,
    products.normalised,
    quantised.quantised,
    quantised.in_fractals,
    quantised.through_int8,
    products.weights_of_bytes,
)
#: These take two ranks at least.
TOGETHER = (
    products.gathered,
    products.scattered,
    quantised.of_bytes,
    products.exchanged,
    quantised.exchanged_bytes,
    quantised.quantised_there,
    scaled.of_few_bits,
    scaled.parts_in_fractals,
    experts.experts,
    experts.sums_of_groups,
)
#: Those that other chips have, or that take four ranks.
CHOSEN = {
    "rows": (
        rows.rows_by_expert,
        barriers.waiting,
        barriers.limits,
        quantised.narrow_sums,
        quantised.narrow_floats,
        rows.narrow_rows,
    ),
    "batches": (rows.batches, barriers.waiting),
    "many": (barriers.reset,),
    "deliveries": (rows.deliveries,),
    "homes": (
        homes.shared_experts,
        homes.experts_without_weights,
        homes.narrow_results,
        homes.normalised_results,
        homes.wrong_homes,
    ),
    "few": (homes.experts_of_a2,),
    "missing": (
        missing.fewer_ranks,
        missing.normalised,
        missing.barriers,
        missing.wrong_tables,
        missing.wrong_numbers,
    ),
    "servers": (servers.by_server, servers.wrong_servers),
    "first": (first.shared_expert, first.wrong_shares),
    "first pairs": (first.pairs_of_ranks,),
    "half": (barriers.wrong_reset,),
    "pairs": (pairs.parts, pairs.wrong_parts),
    "reduced": (
        quantised.quantised,
        quantised.through_int8,
        reduced.products,
        reduced.through_float8,
        reduced.float_weights,
    ),
    "scaled": (scaled.floats,),
    "narrow": (narrow.fewer_bits, narrow.wrong_rows, homes.results_of_floats),
}

if __name__ == "__main__":
    members = Ranks(int(sys.argv[1]))
    usual = ALONE + (TOGETHER if members.count > 1 else ())
    for each in CHOSEN[sys.argv[2]] if len(sys.argv) > 2 else usual:
        each(members)
    print("all equal")
