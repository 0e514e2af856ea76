"""An audit as a document: a section for each question, its answer first; for paper, no script.

A section is a function `sections(audit)` in a file of its own, which yields a `Section` for each question it answers,
or none where it was not asked. `tauscope.sharing.report.report` has them in their order.
"""
