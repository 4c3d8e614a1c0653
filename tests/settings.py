"""The one settings file, on a directory of its own and with cheap passwords."""

import atexit
import os
import shutil
import tempfile

# pytest-django loads the settings before it loads any conftest, so the directory is
# made here. Processes that a test starts inherit it, and must not make another.
if "EGOBOARD_TEST_VAR" not in os.environ:
    var = tempfile.mkdtemp(prefix="egoboard-test-")
    atexit.register(shutil.rmtree, var, ignore_errors=True)
    os.environ["EGOBOARD_TEST_VAR"] = os.environ["EGOBOARD_VAR"] = var

from leaderboard.settings import *  # noqa: F403
from leaderboard.settings import STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    # The manifest storage knows only files that collectstatic has seen.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
