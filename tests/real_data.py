"""The real data sets in `notebooks/data`, as frames."""

from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).resolve().parents[1] / "notebooks" / "data"
ADULT_NUMBERS = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]


def adult(part: str) -> pd.DataFrame:
    """Return Adult, "train" or "test": 14 attributes and `income`; a missing value is "?"."""
    return pd.read_csv(FOLDER / f"adult_{part}.csv.gz", keep_default_na=False)


def german(part: str) -> pd.DataFrame:
    """Return German Credit, "train" or "test": 60 columns, one-hot, and `credit-risk` (1 is good)."""
    return pd.read_csv(FOLDER / f"german-{part}.csv")


def sms() -> pd.DataFrame:
    """Return the SMS Spam Collection: `label` ("ham" or "spam") and `text`."""
    return pd.read_csv(FOLDER / "sms_spam.csv.gz", keep_default_na=False, dtype=str)
