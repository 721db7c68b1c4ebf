"""Programs on CUDA streams and events: their language, the host that executes one, and a model of the device."""
