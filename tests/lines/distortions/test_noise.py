import numpy as np

from ocrlstm.lines.distortions.noise import smooth_cloud, smooth_noise


def test_smooth_noise_is_bounded_and_smooth():
    noise = smooth_noise(np.random.default_rng(0), 3, 500, 40.0)
    assert noise.shape == (3, 500)
    assert np.abs(noise).max() <= 1
    # From knot to knot at most 2, with a slope of at most 1.5 times the mean one.
    assert np.abs(np.diff(noise)).max() <= 1.5 * 2 / 40 + 1e-9


def test_a_cloud_is_bounded_and_smooth_both_ways():
    cloud = smooth_cloud(np.random.default_rng(0), 48, 500, 20.0)
    assert cloud.shape == (48, 500) and cloud.dtype == np.float32
    assert np.abs(cloud).max() <= 1
    assert cloud.std() > 0.2
    for axis in (0, 1):
        assert np.abs(np.diff(cloud, axis=axis)).max() <= 1.5 * 2 / 20 + 1e-6
