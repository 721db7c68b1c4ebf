"""The API under Schemathesis: every operation, right and wrong input, alone and one after another.

Its checks are that no answer is a server error, and that each answer's status, type, headers and body are those
that the OpenAPI description of the running server declares.
"""

import re
from collections import Counter
from contextlib import nullcontext, suppress
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    ensure_resource_availability,
    positive_data_acceptance,
    use_after_free,
)

# A run that was cancelled stays to be read, and one that was made may be cleared away.
NOT_OURS = [use_after_free, ensure_resource_availability]
# JSON Schema takes 4.0 for a whole number, and cannot know how many events a run has.
STRICTER = re.compile(r"must be a whole number .*, not -?\d+\.\d*(e\+\d+)?$|^after must be at most")
BOUNDS = {"stream_age": 0.2, "wall": 2, "queue": 1_000, "concurrency": 2}  # of a server to be fuzzed


def fuzz(url: str, examples: int, chains: int) -> Counter[int]:
    """Ask so many times for each operation and follow so many chains; how often each status was answered."""
    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    seen: Counter[int] = Counter()
    bounds = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    with requests.Session() as session:

        def ask(case: Any) -> Any:
            answer = case.call(session=session, timeout=10)
            seen[answer.status_code] += 1
            validate(case, answer)
            return answer

        def check(case: Any) -> None:
            ask(case)

        for operation in asked(schema):
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
                    bounds(given(case=operation.as_strategy(mode))(check))()

        # Not Schemathesis' state machine: what it draws depends on what the server still remembers.
        operations = {each.definition.raw["operationId"]: each for each in asked(schema)}
        about = [each for each in operations.values() if "run_id" in each.path]

        @settings(bounds, max_examples=chains)
        @given(st.data(), operations["start"].as_strategy(), st.lists(st.sampled_from(about), max_size=4))
        def chain(data: Any, first: Any, rest: list[Any]) -> None:
            run = ask(first).json().get("id", "none")
            for operation in rest:
                ask(data.draw(operation.as_strategy(path_parameters={"run_id": run})))

        chain()
    return seen


def asked(schema: Any) -> list[Any]:
    return [each.ok() for each in schema.get_all_operations()]


def validate(case: Any, answer: Any) -> None:
    """Raises ``FailureGroup``. A missing GPU is no fault of the server's, and we are stricter than JSON Schema."""
    excluded = list(NOT_OURS)
    if answer.status_code == 503:
        assert answer.json()["code"] == "no_worker", answer.text
        excluded.append(not_a_server_error)
    if answer.status_code == 422 and all(STRICTER.search(each["message"]) for each in answer.json()["detail"]):
        excluded.append(positive_data_acceptance)
    case.validate_response(answer, excluded_checks=excluded)
