"""TLS on the loopback, with a certificate for localhost."""

from __future__ import annotations

import ssl
from pathlib import Path

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""For localhost, with its key, for all to read: it protects nothing, it only lets TLS do its work."""


def context(newest: str, side: int) -> ssl.SSLContext:
    """TLS up to version ``newest``, 1.2 or 1.3.

    The certificate is the server's own, and the only one that the client trusts.
    """
    made = ssl.SSLContext(side)
    made.maximum_version = ssl.TLSVersion.TLSv1_2 if newest == "1.2" else ssl.TLSVersion.TLSv1_3
    if side == ssl.PROTOCOL_TLS_SERVER:
        made.load_cert_chain(CERTIFICATE)
    else:
        made.load_verify_locations(CERTIFICATE)
    return made
