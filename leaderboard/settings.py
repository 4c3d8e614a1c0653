"""The one settings file. Every deployment difference is an environment variable."""

import os
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from leaderboard import embedded


def flag(name: str, default: bool = False) -> bool:
    return os.environ.get(name, str(int(default))).lower() in {"1", "true", "yes"}


def listed(name: str, default: str = "") -> list[str]:
    return [item for item in os.environ.get(name, default).split(",") if item]


BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = embedded.var_dir()
DEBUG = flag("EGOBOARD_DEBUG")
IS_HTTPS = flag("EGOBOARD_HTTPS")
SECRET_KEY = os.environ.get("SECRET_KEY") or embedded.secret("secret_key")
ALLOWED_HOSTS = listed("EGOBOARD_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = listed("EGOBOARD_ORIGINS")

INSTALLED_APPS = [
    "leaderboard",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "leaderboard.views.caching.keep_private",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- data -------------------------------------------------------------------
# The web processes pool their connections (EGOBOARD_DB_POOL); workers do not,
# because Celery closes a pool around every task.
DATABASES = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL") or embedded.database_url(),
        conn_max_age=0,
        conn_health_checks=True,
    )
}
if flag("EGOBOARD_DB_POOL"):
    # Without a database a page says so soon, rather than keep its thread for long.
    pool = {"min_size": 1, "max_size": 8, "timeout": 5}
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = pool
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

FILES_ROOT = Path(os.environ.get("EGOBOARD_FILES", VAR_DIR / "files"))
STORAGES = {
    # Uploads and sealed test sets: outside any web root, no URL on purpose.
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        # A file's name is its content: who comes second writes the same again.
        "OPTIONS": {
            "location": FILES_ROOT,
            "base_url": None,
            "allow_overwrite": True,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
MAX_UPLOAD_MIB = int(os.environ.get("EGOBOARD_MAX_UPLOAD_MIB", "64"))
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600
# Every upload is a file beside its final place, so that storing it is one rename.
FILE_UPLOAD_HANDLERS = ["leaderboard.incoming.IncomingFileHandler"]
FILE_UPLOAD_TEMP_DIR = FILES_ROOT / "incoming"
FILES_ROOT.mkdir(mode=0o700, parents=True, exist_ok=True)
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, exist_ok=True)

# Test sets are encrypted to this age recipient; only workers are given the identity.
SEAL_RECIPIENT = os.environ.get("EGOBOARD_SEAL_RECIPIENT") or embedded.kept_recipient()
SEAL_IDENTITY_FILE = os.environ.get("EGOBOARD_SEAL_IDENTITY_FILE", "")

# --- the queue (see leaderboard.checks for the order that must hold) ----------
BROKER_URL = os.environ.get("BROKER_URL") or embedded.broker_url()
SOFT_LIMIT_SECONDS = int(os.environ.get("EGOBOARD_SOFT_LIMIT", "90"))
HARD_LIMIT_SECONDS = int(os.environ.get("EGOBOARD_HARD_LIMIT", "100"))
LEASE_SECONDS = int(os.environ.get("EGOBOARD_LEASE", "120"))
VISIBILITY_SECONDS = int(os.environ.get("EGOBOARD_VISIBILITY", "5400"))
SWEEP_SECONDS = int(os.environ.get("EGOBOARD_SWEEP", "20"))
SHARD_SECONDS = float(os.environ.get("EGOBOARD_SHARD_SECONDS", "20"))
RETRY_SECONDS = float(os.environ.get("EGOBOARD_RETRY_SECONDS", "5"))
MAX_ATTEMPTS = 3
# Reading, compiling and the baselines of a whole test set, with a slow judge too.
TEST_SET_SECONDS = int(os.environ.get("EGOBOARD_TEST_SET_LIMIT", "3600"))
# What a judge's server is reckoned to manage, to size the shards that ask one.
JUDGED_PER_SECOND = float(os.environ.get("EGOBOARD_JUDGED_PER_SECOND", "2"))
JUDGE_PAUSE_SECONDS = float(os.environ.get("EGOBOARD_JUDGE_PAUSE", "30"))
JUDGE_API_KEY = os.environ.get("EGOBOARD_JUDGE_API_KEY", "")
JUDGE_CONCURRENCY = int(os.environ.get("EGOBOARD_JUDGE_CONCURRENCY", "64"))
WORKER_THREADS = int(os.environ.get("EGOBOARD_WORKER_THREADS", "1"))
MAX_HINTS = 50

# Holds the counts of attempts, per process; Django would forget them beyond 300.
MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES = {"default": {"BACKEND": MEMORY, "OPTIONS": {"MAX_ENTRIES": 50_000}}}

# --- people -----------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = os.environ.get("EGOBOARD_EMAIL_VERIFICATION", "none")
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
# A name stands on boards and in the audit log: no look-alikes, nobody else's part.
ACCOUNT_USERNAME_VALIDATORS = "leaderboard.forms.accounts.username_validators"
ACCOUNT_USERNAME_BLACKLIST = ["admin", "egoboard", "host", "root", "staff", "system"]
EMAIL_BACKEND = os.environ.get(
    "EGOBOARD_EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend"
)

# --- security ---------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
PROXIES = int(flag("EGOBOARD_BEHIND_PROXY"))  # whose X-Forwarded-… can be believed
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- API --------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "leaderboard.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "leaderboard.api.errors.handle",
    "NUM_PROXIES": PROXIES,
}
KNOX_TOKEN_MODEL = "leaderboard.ApiToken"  # noqa: S105 (a model's name)
MIGRATION_MODULES = {"knox": None}  # its own table would stay empty for ever
REST_KNOX = {"TOKEN_TTL": timedelta(days=365), "TOKEN_PREFIX": "ego_"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Egoboard API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": "Submit predictions, follow their evaluation, read the boards.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "SubmissionStatus": "leaderboard.models.Submission.Status",
        "EvaluationStatus": "leaderboard.models.Evaluation.Status",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- the rest ---------------------------------------------------------------
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    # These tell of every message and of every model, where the work itself is told.
    "loggers": {
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "sentence_transformers": {"level": "WARNING"},
    },
}
