"""Who sends, and with which password: both are made up."""

USER = "zoe"
PASSWORD = "boat-in-a-bottle"
