"""Bags of words that the tests of sparse rows share: generated messages, their weights and counts, models of them."""

from functools import cache
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import normalize

import tauscope as ts

N, P, PER_ROW = 240, 60, 9
WORDS = tuple(f"word {j}" for j in range(P))
QUIET: dict[str, Any] = {"progress": False, "random_state": 0, "n_samples": 200}


@cache
def counts() -> tuple[sparse.csr_array, np.ndarray]:
    """Counts of 60 words in 240 messages, and whether each is spam: the first twenty words are likelier in spam."""
    random = np.random.default_rng(0)
    y = np.arange(N) % 2
    matrix = np.zeros((N, P))
    for i in range(N):
        likely = np.where(np.arange(P) < 20, 3.0 if y[i] else 1.0, 1.0)
        words = random.choice(P, PER_ROW, p=likely / likely.sum())
        np.add.at(matrix[i], words, 1)
    return sparse.csr_array(matrix), y


@cache
def weights() -> tuple[sparse.csr_array, np.ndarray]:
    """Weights of the words, each column of standard deviation 1, so that dense and sparse rows have the same units."""
    bag, y = counts()
    matrix = normalize(bag.multiply(1 / np.arange(5, 5 + P)).tocsr()).toarray()
    return sparse.csr_array(matrix / matrix.std(axis=0)), y


@cache
def logistic() -> LogisticRegression:
    return LogisticRegression().fit(*weights())


@cache
def bayes() -> MultinomialNB:
    return MultinomialNB().fit(*weights())


@cache
def study(model: str = "logistic") -> ts.Study:
    X, y = weights()
    return ts.Study({"logistic": logistic, "bayes": bayes}[model](), X, y, feature_names=WORDS, progress=False)


@cache
def dense(model: str = "logistic") -> ts.Study:
    """The same study of dense rows."""
    X, y = weights()
    fitted = {"logistic": logistic, "bayes": bayes}[model]()
    return ts.Study(fitted, X.toarray(), y, feature_names=WORDS, progress=False)


@cache
def counted() -> ts.Study:
    bag, y = counts()
    bag = sparse.csr_array(bag.astype(np.int64))
    return ts.Study(MultinomialNB().fit(bag, y), bag, y, feature_names=WORDS, progress=False)


AS_SPARSE: dict[str, Any] = {"vertices": "sparse", "bounds": {word: (0, None) for word in WORDS}}
"""What makes a search of dense rows that of sparse ones."""
