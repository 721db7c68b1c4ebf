"""The probe against a driver of ours, built here, that can be told which call to refuse."""

import subprocess
from pathlib import Path

import pytest
from underhood.machine import gpu_probe

DRIVER = r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned char memory[1 << 16];
static int refused(const char *name) {
    const char *broken = getenv("BROKEN_CALL");
    if (broken && !strcmp(broken, "hang")) for (;;) pause();
    return broken && !strcmp(broken, name) ? 719 : 0;
}
int cuInit(unsigned flags) { return refused("cuInit"); }
int cuDeviceGet(int *device, int n) { *device = n; return refused("cuDeviceGet"); }
int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = memory;
    return refused("cuDevicePrimaryCtxRetain");
}
int cuCtxSetCurrent(void *context) { return context == memory ? refused("cuCtxSetCurrent") : 201; }
int cuMemAlloc_v2(unsigned long long *at, size_t size) {
    *at = (unsigned long long)memory;
    return refused("cuMemAlloc_v2");
}
int cuMemsetD8_v2(unsigned long long at, unsigned char value, size_t size) {
    memset((void *)at, value, size);
    return refused("cuMemsetD8_v2");
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) {
    memcpy(to, (void *)from, size);
    if (refused("flip")) ((char *)to)[17] ^= 1;
    return refused("cuMemcpyDtoH_v2");
}
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("driver")
    (folder / "cuda.c").write_text(DRIVER)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "libcuda.so.1", folder / "cuda.c"], check=True)
    return folder


@pytest.fixture
def installed(driver: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))
    return monkeypatch


def test_a_gpu_that_works_answers(installed: pytest.MonkeyPatch) -> None:
    assert gpu_probe.answers()


@pytest.mark.parametrize("call", ["cuInit", "cuDevicePrimaryCtxRetain", "cuMemAlloc_v2", "cuMemcpyDtoH_v2", "flip"])
def test_one_that_refuses_a_call_or_forgets_does_not(installed: pytest.MonkeyPatch, call: str) -> None:
    installed.setenv("BROKEN_CALL", call)
    assert not gpu_probe.answers()


def test_one_that_hangs_does_not(installed: pytest.MonkeyPatch) -> None:
    installed.setenv("BROKEN_CALL", "hang")
    installed.setattr(gpu_probe, "PATIENCE", 1.0)
    assert not gpu_probe.answers()


def test_without_a_driver_nothing_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The loader ends its search at this empty file, so that a machine with a driver has none, either."""
    (tmp_path / "libcuda.so.1").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert not gpu_probe.answers()
