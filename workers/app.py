"""The Celery application: queues, limits, schedule. Imports nothing of ours."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

from django.conf import settings

CHECK = "egoboard.check"
CHECK_TEST_SET = "egoboard.check_test_set"
SCORE = "egoboard.score"
JUDGE = "egoboard.judge"  # shards that ask a judge: slow, and not for every worker
SWEEP = "egoboard.sweep"

app = Celery("egoboard", broker=settings.BROKER_URL, include=["workers.tasks"])
app.conf.update(
    # A message is a hint: acknowledged after the work, never redelivered because a
    # process died (that would repeat for ever); the row's attempts decide.
    task_acks_late=True,
    task_reject_on_worker_lost=False,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    result_backend=None,
    task_soft_time_limit=settings.SOFT_LIMIT_SECONDS,
    task_time_limit=settings.HARD_LIMIT_SECONDS,
    broker_transport_options={
        "visibility_timeout": settings.VISIBILITY_SECONDS,
        # A broker that does not answer must not hold up a request or a worker.
        "socket_connect_timeout": 5,
        "socket_timeout": 5,
        "socket_keepalive": True,
    },
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # the default gives up after 100
    # What a lost connection cannot tell the broker, the row tells everybody.
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_max_memory_per_child=1_500_000,
    worker_hijack_root_logger=False,
    task_default_queue="upkeep",
    task_routes={
        CHECK: {"queue": "check"},
        CHECK_TEST_SET: {"queue": "check"},
        SCORE: {"queue": "score"},
        JUDGE: {"queue": "judge"},
        SWEEP: {"queue": "upkeep"},
    },
    beat_schedule={
        "sweep": {"task": SWEEP, "schedule": float(settings.SWEEP_SECONDS)},
    },
    timezone="UTC",
)
