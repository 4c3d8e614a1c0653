"""All addresses of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The one sign-in, which counts failed attempts; the admin's own does not.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("leaderboard.views.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/", include("leaderboard.api.urls")),
    path("admin/", admin.site.urls),
]
