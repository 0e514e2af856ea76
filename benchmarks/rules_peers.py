"""The peer of the rules engine that also reads the forest's trees, one row after another."""

from peer import SHARED, Peer

SHAP = Peer("shap", ("shap==0.49.1", *SHARED))
