"""The batch on a GPU: kernels compiled at first use, arrays that stay on the device."""
