"""The peers of the effects engine."""

from peer import SHARED, Peer

PEERS = (
    Peer("effector", ("effector==0.6.0", "PyALE==1.2.0", *SHARED)),
    Peer("dalex", ("dalex==1.8.0", "pandas==2.3.3", *SHARED)),
    Peer("alibi", ("alibi==0.9.6", "click==8.1.8", *SHARED)),
)
