"""The former name of a reweighting of rows in chunks."""

from tauscope.results.stress.reweight import Reweighting

SummedReweighting = Reweighting
