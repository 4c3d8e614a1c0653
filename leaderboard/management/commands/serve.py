"""Run everything: embedded services, web, worker, beat, in one terminal."""

import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Generator
from contextlib import closing

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections

from leaderboard import embedded, processes, stack, supervisor
from leaderboard.daemons import NotStarted

Steps = Generator[None, None, None]
PORT_SECONDS = 3.0  # a run that was killed takes a moment to let go of its port


class Command(BaseCommand):
    help = "Run the whole server: PostgreSQL and Redis where none is given, web, worker, beat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--concurrency", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--no-samples", action="store_true")

    def handle(
        self,
        *,
        host: str,
        port: int,
        concurrency: int,
        no_samples: bool,
        **options: object,
    ) -> None:
        os.chdir(settings.BASE_DIR)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        _wait_for_port(host, port)
        try:
            with embedded.running() as services:
                self._prepare()
                children = [
                    stack.web(host=host, port=port),
                    stack.worker(concurrency=concurrency),
                    stack.beat(),
                ]
                self._run(children, services, _address(host, port), not no_samples)
        except (embedded.AlreadyRunning, NotStarted) as problem:
            raise CommandError(str(problem)) from problem
        except KeyboardInterrupt:
            pass
        self.stdout.write("Everything has stopped.")

    def _prepare(self) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
        call_command("collectstatic", interactive=False, verbosity=0)

    def _run(
        self,
        children: list[supervisor.Child],
        services: embedded.Running,
        url: str,
        has_samples: bool,
    ) -> None:
        def tick(ready: frozenset[str]) -> None:
            for name in services.revive():
                self.stderr.write(f"{name} had died and was started again.")
            next(opening, None)

        with closing(self._open(url, has_samples)) as opening:
            supervisor.run(children, tick=tick)

    def _open(self, url: str, has_samples: bool) -> Steps:
        """Wait for the server, fill it, announce it: a step at each tick.

        The worker may still be loading its models; whatever is submitted waits for it.
        """
        while not _answers(url):
            yield
        if has_samples:
            yield from self._load_samples()
        self.stdout.write(f"\n  Egoboard is at {url}\n  Ctrl-C stops everything.\n\n")
        self.stdout.flush()

    def _load_samples(self) -> Steps:
        child = stack.samples()
        output = sys.stdout.fileno()
        loading = processes.spawn(child.argv, output=output, env=child.env)
        try:
            while loading.poll() is None:
                yield
        finally:
            processes.stop(loading, signal.SIGTERM, grace_seconds=5)
        if loading.returncode != 0:
            self.stderr.write("The samples were not loaded; see the lines above.")


def _address(host: str, port: int) -> str:
    name = "localhost" if host in {"0.0.0.0", "127.0.0.1", "::"} else host  # noqa: S104
    return f"http://{name}:{port}/"


def _wait_for_port(host: str, port: int) -> None:
    deadline = time.monotonic() + PORT_SECONDS
    while True:
        try:
            socket.create_server((host, port)).close()
        except OSError as problem:
            if time.monotonic() < deadline:
                time.sleep(0.2)
                continue
            raise CommandError(
                f"port {port} of {host} cannot be used ({os.strerror(problem.errno or 0)}); "
                f"choose another one: make run PORT={port + 1}"
            ) from problem
        return


def _answers(url: str) -> bool:
    """Tell whether the web server answers at all, be it with an error page."""
    try:
        urllib.request.urlopen(url, timeout=10).close()  # noqa: S310 (our own address)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
