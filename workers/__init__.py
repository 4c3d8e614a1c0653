"""The Celery workers: claim a row, do the work, record it."""
