"""The peers of the boundary engine."""

from peer import SHARED, Peer

LIME = Peer("lime", ("lime==0.2.0.1", "pandas==2.3.3", "setuptools<80", *SHARED))
DICE = Peer("dice", ("dice-ml==0.12", "pandas==2.3.3", "numpy==1.26.4", *SHARED))
ALIBI = Peer("alibi-tensorflow", ("alibi[tensorflow]==0.9.6", "click==8.1.8", "pandas==2.3.3", *SHARED))
