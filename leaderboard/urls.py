"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("leaderboard.views.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/", include("leaderboard.api.urls")),
    path("admin/", admin.site.urls),
]
