"""Made-up passengers of a ship, with the columns and the gaps of a well-known list: numbers, texts, missing values."""

import numpy as np
import pandas as pd

N = 891
N_WITHOUT_AGE, N_WITHOUT_CABIN, N_WITHOUT_HARBOUR = 177, 687, 2
N_TICKETS, N_CABINS = 681, 147


def _levels(random: np.random.Generator, name: str, n_levels: int, n: int) -> np.ndarray:
    """Draw n texts in which each of n_levels stands at least once."""
    drawn = np.r_[np.arange(n_levels), random.integers(0, n_levels, n - n_levels)]
    return np.array([f"{name} {level:03}" for level in random.permutation(drawn)])


def passengers() -> pd.DataFrame:
    """Return 891 rows and 12 columns; `Survived` depends on the sex and the class."""
    random = np.random.default_rng(0)
    sex = random.choice(["male", "female"], N, p=[0.65, 0.35])
    ticket_class = random.choice([1, 2, 3], N, p=[0.24, 0.21, 0.55])
    survived = random.random(N) < 0.15 + 0.5 * (sex == "female") + 0.15 * (ticket_class == 1)
    without_age = random.permutation(N) < N_WITHOUT_AGE
    with_cabin = random.permutation(N) >= N_WITHOUT_CABIN
    cabin = np.full(N, "no cabin at all")
    cabin[with_cabin] = _levels(random, "cabin", N_CABINS, int(with_cabin.sum()))
    return pd.DataFrame(
        {
            "PassengerId": np.arange(1, N + 1),
            "Survived": survived.astype(int),
            "Pclass": ticket_class,
            "Name": [f"passenger {place:03}" for place in range(N)],
            "Sex": sex,
            "Age": np.where(without_age, np.nan, np.round(random.gamma(4.5, 6.7, N).clip(0.5, 80), 1)),
            "SibSp": random.choice([0, 1, 2, 3, 4, 5, 8], N, p=[0.68, 0.23, 0.03, 0.02, 0.02, 0.01, 0.01]),
            "Parch": random.choice([0, 1, 2, 3, 5, 6], N, p=[0.76, 0.13, 0.08, 0.01, 0.01, 0.01]),
            "Ticket": _levels(random, "ticket", N_TICKETS, N),
            "Fare": np.round(random.lognormal(2.9, 1.0, N) * (4 - ticket_class), 4),
            "Cabin": pd.Series(cabin).where(with_cabin),
            "Embarked": pd.Series(random.choice(["S", "C", "Q"], N, p=[0.72, 0.19, 0.09])).mask(
                random.permutation(N) < N_WITHOUT_HARBOUR
            ),
        }
    )
