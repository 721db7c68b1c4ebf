"""The layer of a Fourier neural operator that acts on waves."""

import numpy as np

STUB = '''
import numpy as np

def waves_layer(field, weight):
    """field: [channels, points], real; weight: [modes, channels, out], complex, modes below points / 2.

    Returns [out, points]: of each wave below modes the channels, as a row, times its matrix; no other wave.
    """
    points = field.shape[1]
    waves = np.fft.rfft(field)      # [channels, points // 2 + 1]
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    # and the lowest waves?
    return np.fft.irfft(mixed, points)
'''


def waves_layer(field, weight):
    points, modes = field.shape[1], len(weight)
    waves = np.fft.rfft(field)
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    mixed[:, :modes] = np.einsum("im,mio->om", waves[:, :modes], weight)
    return np.fft.irfft(mixed, points)


def cases():
    random = np.random.default_rng(8)
    for channels, points, modes, out in ((1, 8, 1, 1), (1, 8, 3, 1), (2, 16, 4, 2), (3, 15, 5, 2), (2, 64, 12, 3)):
        weight = random.normal(size=(2, modes, channels, out))
        yield random.normal(size=(channels, points)), weight[0] + 1j * weight[1]


def channels_apart(field, weight):
    """Each output is a sum over all channels: the matrix of a wave mixes them."""
    points, modes = field.shape[1], len(weight)
    waves = np.fft.rfft(field)
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    first = min(field.shape[0], weight.shape[2])
    for channel in range(first):
        mixed[channel, :modes] = waves[channel, :modes] * weight[:, channel, channel]
    return np.fft.irfft(mixed, points)


def one_matrix(field, weight):
    """Every wave has a matrix of its own, and all of yours are multiplied by the first."""
    points, modes = field.shape[1], len(weight)
    waves = np.fft.rfft(field)
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    mixed[:, :modes] = weight[0].T @ waves[:, :modes]
    return np.fft.irfft(mixed, points)


def real_part(field, weight):
    """A complex number turns a wave as well as scaling it: the imaginary parts are missing."""
    points, modes = field.shape[1], len(weight)
    waves = np.fft.rfft(field)
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    mixed[:, :modes] = np.einsum("im,mio->om", waves[:, :modes], weight.real)
    return np.fft.irfft(mixed, points)


def others_pass(field, weight):
    """The waves from modes on are to be nothing; here they pass as they are."""
    points, modes = field.shape[1], len(weight)
    waves = np.fft.rfft(field)
    mixed = np.zeros((weight.shape[2], waves.shape[1]), complex)
    mixed[:, :modes] = np.einsum("im,mio->om", waves[:, :modes], weight)
    mixed[:, modes:] = waves[0, modes:]
    return np.fft.irfft(mixed, points)


MISTAKES = [channels_apart, one_matrix, real_part, others_pass]
