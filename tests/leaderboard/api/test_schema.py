"""The OpenAPI document is valid and complete; its page works under a strict CSP."""

import re

import pytest
import yaml
from django.core.management import call_command
from openapi_spec_validator import OpenAPIV31SpecValidator

from leaderboard.api import urls
from tests.leaderboard.api.doors import anonymous


@pytest.fixture(scope="module")
def document() -> dict[str, object]:
    answer = anonymous().get("/api/schema/")
    assert answer.status_code == 200
    return yaml.safe_load(answer.content)


def test_the_document_is_valid_openapi_3_1(document: dict[str, object]) -> None:
    assert document["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_the_document_is_made_without_a_warning(tmp_path: object) -> None:
    call_command(
        "spectacular", "--validate", "--fail-on-warn", file=f"{tmp_path}/schema.yaml"
    )


def test_every_address_is_in_the_document(document: dict[str, object]) -> None:
    known = {re.sub(r"{\w+}", "{}", path) for path in document["paths"]}
    for pattern in (*urls.everyone, *urls.members):
        path = f"/api/v1/{re.sub(r'<[^>]+>', '{}', str(pattern.pattern))}"
        assert path in known


def test_every_error_is_a_problem_document(document: dict[str, object]) -> None:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if status >= "400":
                    media = answer["content"]["application/problem+json"]
                    assert media["schema"]["$ref"].endswith("/ProblemDocument"), path
            assert operation.get("summary"), (method, path)


def test_tokens_are_named_as_the_way_in(document: dict[str, object]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert schemes["token"]["name"] == "Authorization"
    post = document["paths"]["/api/v1/tracks/{track}/phases/{phase}/submissions"][
        "post"
    ]
    assert {"token": []} in post["security"]
    assert document["paths"]["/api/v1/tracks"]["get"]["security"] == [{}]


def test_the_page_loads_only_from_this_host_and_has_nothing_inline() -> None:
    answer = anonymous().get("/api/docs/")
    html = answer.content.decode()
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert re.findall(r'(?:src|href)="([^"/][^"]*|//[^"]*)"', html) == []
    assert not re.search(r"<style|<script>|style=|\son\w+=", html)
    (script,) = re.findall(r'<script src="(/api/docs/[^"]*)"', html)
    started = anonymous().get(script.replace("&amp;", "&"))
    assert started["Content-Type"].startswith("application/javascript")
    assert b"SwaggerUIBundle" in started.content
