"""Every example in a docstring and on the documentation's pages is run."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import afterstate
import pytest
from afterstate import _native

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NAMES = {name: getattr(_native, name) for name in dir(_native) if not name.startswith("_")} | vars(afterstate)


def members(thing, name, seen):
    """All documented things below a module or class, each once."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield name, thing
    if inspect.isclass(thing) or inspect.ismodule(thing):
        for key, value in vars(thing).items():
            ours = getattr(value, "__module__", None) or getattr(getattr(value, "__objclass__", None), "__module__", "")
            if not key.startswith("_") and str(ours).startswith("afterstate"):
                yield from members(value, f"{name}.{key}", seen)


def modules():
    yield _native
    for found in pkgutil.walk_packages(afterstate.__path__, "afterstate."):
        if not found.name.startswith(("afterstate.ray", "afterstate._native")):
            yield importlib.import_module(found.name)
    yield afterstate


def run(name, text, names):
    test = doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    said = []
    runner.run(test, out=said.append)
    return runner.tries, "".join(said) if runner.failures else ""


def test_examples_in_docstrings():
    seen, examples, wrong = set(), 0, []
    for module in modules():
        for name, thing in members(module, module.__name__, seen):
            doc = getattr(thing, "__doc__", None)
            if isinstance(doc, str) and ">>>" in doc:
                tries, said = run(name, doc, NAMES | vars(inspect.getmodule(thing) or module))
                examples += tries
                wrong.append(said)
    assert not any(wrong), "".join(wrong)
    assert examples > 40


def test_everything_public_is_documented():
    missing = []
    for module in modules():
        for name, thing in members(module, module.__name__, set()):
            if not (getattr(thing, "__doc__", None) or "").strip():
                missing.append(name)
    assert not missing


@pytest.mark.parametrize("page", ["python.md"])
def test_examples_on_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (pathlib.Path(__file__).parents[3] / "docs" / page).read_text()
    # The fence that closes an example is not part of what it prints.
    text = text.replace("\n```", "\n\n")
    tries, said = run(page, text, {})
    assert tries > 10 and not said, said
