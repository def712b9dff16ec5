"""What delivery costs."""

import json
from pathlib import Path

SETTINGS_FILE = Path("settings.json")

# For a shop that has no settings yet.
FALLBACK = {"delivery_fee": 300, "free_delivery_from": 5000}


def load_settings():
    if not SETTINGS_FILE.exists():
        return FALLBACK
    return json.loads(SETTINGS_FILE.read_text(encoding="utf-8"))


def delivery_cost(order_total):
    """Returns the price of delivery for an order of this total."""
    if order_total < 0:
        raise ValueError("an order cannot cost less than nothing")
    settings = load_settings()
    if order_total >= settings["free_delivery_from"]:
        return 0
    return settings["delivery_fee"]
