"""What a GPU does: the reference beside torch's fused attention, and verdicts on every drill.

    python -m benchmarks.on_gpu
    python -m benchmarks.on_gpu --device cpu --length 256 --length 512 --drill softmax

Of each length, 1 × 8 × n × 64 in float32: the time, the most memory beside the inputs and the
largest difference of an entry. The reference keeps all scores, so that a long input may not fit.
Own GPT and real model run on the CPU alone. Without a GPU, nothing is measured unless a device is
named; memory is counted on a GPU alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks._measure import Figure, seconds
from studyattn import attention as reference
from studyattn.bundled import content_dir
from studyattn.grading import Backend, Grader, drill_folders

LENGTHS = tuple(1024 << step for step in range(6))  # 1k to 32k
TIMES = 5


def attentions(device: str, length: int) -> Iterator[Figure]:
    """Compare the reference with the fused function on one length."""
    q, k, v = (torch.randn(1, 8, length, 64, device=device) for _ in range(3))
    named: dict[str, Callable[..., Tensor]] = {
        "fused": functional.scaled_dot_product_attention,
        "the reference": reference.attention,
    }
    given: dict[str, Tensor] = {}
    for name, function in named.items():
        try:
            given[name], taken, held = _carried_out(function, q, k, v)
        except torch.OutOfMemoryError:
            print(f"  n = {length:,}, {name}: more memory than there is")
            return
        yield Figure(f"n = {length:,}, {name}: time", taken * 1000, "ms")
        if q.is_cuda:
            yield Figure(f"n = {length:,}, {name}: memory", held / 1e6, "MB")
    apart = (given["fused"] - given["the reference"]).abs().max()
    yield Figure(f"n = {length:,}: largest difference, millionths", float(apart) * 1e6, "")


def _carried_out(function: Callable[..., Tensor], *arrays: Tensor) -> tuple[Tensor, float, float]:
    """Return a result, the median seconds, and the bytes that were held at a time beside inputs."""
    is_cuda = arrays[0].is_cuda

    def work() -> None:
        function(*arrays)
        if is_cuda:
            torch.cuda.synchronize()

    result = function(*arrays)
    before = torch.cuda.memory_allocated() if is_cuda else 0
    if is_cuda:
        torch.cuda.reset_peak_memory_stats()
    taken = median(seconds(work) for _ in range(TIMES))
    return result, taken, (torch.cuda.max_memory_allocated() if is_cuda else 0) - before


def verdicts(device: str, only: Sequence[str]) -> Iterator[Figure]:
    """Grade the solution of each drill on the device. All must pass."""
    with Grader(device=device, ahead=True) as grader:
        refused: list[str] = []
        taken: list[float] = []
        for folder in drill_folders(content_dir() / "attention"):
            if only and folder.name not in only:
                continue
            source = (folder / "solution.py").read_bytes()
            grader.grade(folder.name, source, backend=Backend.TORCH)
            grader.prepare(folder.name, Backend.TORCH)
            began = time.perf_counter()
            report = grader.grade(folder.name, source, backend=Backend.TORCH)
            taken.append(time.perf_counter() - began)
            refused += [] if report.passed else [folder.name]
    print(f"  refused: {', '.join(refused) or 'none'}")
    yield Figure(f"solutions of {len(taken)} drills that are refused", len(refused), "", 0)
    yield Figure("a passed verdict, median", median(taken) * 1000, "ms")
    yield Figure("a passed verdict, slowest", max(taken) * 1000, "ms")


def main() -> int:
    """Print the figures. 1 where a solution is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--length", type=int, action="append")
    parser.add_argument("--drill", action="append", default=[])
    asked = parser.parse_args()
    if asked.device == "cuda" and not torch.cuda.is_available():
        print("  not measured: there is no GPU")
        return 0
    kept = True
    for length in asked.length or LENGTHS:
        for figure in attentions(asked.device, length):
            print(f"  {figure}", flush=True)
    for figure in verdicts(asked.device, asked.drill):
        print(f"  {figure}", flush=True)
        kept = kept and figure.kept
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
