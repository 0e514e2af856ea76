"""Sphinx: the reference, from the docstrings. Nothing is fetched, neither when it is built nor when it is read."""

from importlib.metadata import version as installed

project = "Tauscope"
version = release = installed("tauscope")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
exclude_patterns = ["_build"]
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
html_theme = "pydata_sphinx_theme"
html_theme_options = {"show_prev_next": False, "secondary_sidebar_items": ["page-toc"]}
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
