# ruff: noqa: E402  # the script finds the repository before it imports from it
"""The OpenAI judge against a slow server: is the concurrency really used?

    python deploy/bench/bench_judge.py [--questions 2000] [--concurrency 64]

The server runs in a process of its own and takes 50 ms for every answer. Ideal is
questions / concurrency * latency; the baseline asks one question after the other (a
tenth of them, scaled).
"""

import argparse
import multiprocessing
import sys
import time
from multiprocessing.queues import Queue
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from evaluation.judges import Question
from evaluation.judges.conversation import Endpoint
from evaluation.judges.openai import OpenAIJudge
from tests.evaluation.judges.chat_server import MODEL, ChatServer, running


def serve(address: "Queue[str]", latency_s: float) -> None:
    with running(ChatServer(latency_s=latency_s)) as server:
        address.put(server.url)
        time.sleep(3600)


def timed(url: str, questions: list[Question], concurrency: int) -> float:
    judge = OpenAIJudge(Endpoint(url=url, model=MODEL, concurrency=concurrency))
    start = time.perf_counter()
    judge.ask(questions)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()

    address: Queue[str] = multiprocessing.Queue()
    arguments = (address, options.latency)
    server = multiprocessing.Process(target=serve, args=arguments, daemon=True)
    server.start()
    url = address.get()
    asked = [
        Question("attribute", f"a red bowl number {n} is on the table", "a red bowl")
        for n in range(options.questions)
    ]
    ideal = options.questions / options.concurrency * options.latency
    few = asked[: max(1, options.questions // 10)]
    alone = timed(url, few, 1) * options.questions / len(few)
    print(f"one after the other  {alone:7.2f} s")
    for _ in range(options.repeat):
        seconds = timed(url, asked, options.concurrency)
        print(
            f"{options.concurrency} at once          {seconds:7.2f} s = "
            f"{seconds / ideal:.2f} x ideal (wanted: 1.3), {alone / seconds:.0f} x faster"
        )
    server.terminate()


if __name__ == "__main__":
    main()
